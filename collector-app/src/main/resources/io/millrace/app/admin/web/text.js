// Formatting of numbers, and creation of elements from text. Input is never interpreted as markup.

export function count(value) {
  return value === null || value === undefined ? 'unavailable' : Math.round(value).toLocaleString('en-US');
}

/** A rate in at most seven characters. */
export function rate(value) {
  return value === null || value === undefined ? '–' : value >= 999_500 ? `${(value / 1e6).toFixed(2)} M` : count(value);
}

/** A time in UTC, as in the log. */
export function time(text) {
  return `${text.replace('T', ' ').slice(0, 19)}Z`;
}

export function bytes(value) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function duration(ms) {
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  const s = Math.floor(ms / 1000);
  if (s < 120) {
    return `${s} s`;
  }
  const days = Math.floor(s / 86400);
  const hours = Math.floor(s / 3600) % 24;
  const minutes = Math.floor(s / 60) % 60;
  return days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}

export function milliseconds(value) {
  return value >= 100 ? count(value) : value >= 1 ? value.toFixed(1) : value.toFixed(3);
}

export function element(name, text, classes) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) {
    made.textContent = text;
  }
  if (classes) {
    made.className = classes;
  }
  return made;
}

export function row(...cells) {
  const made = document.createElement('tr');
  for (const cell of cells) {
    made.append(cell instanceof Node ? cell : element('td', cell, 'number'));
  }
  return made;
}

export function fill(body, rows, nothing, columns) {
  if (rows.length === 0) {
    const cell = element('td', nothing, 'note');
    cell.colSpan = columns;
    rows = [row(cell)];
  }
  body.replaceChildren(...rows);
}
