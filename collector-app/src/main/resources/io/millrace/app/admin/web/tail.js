// Messages as they come. They are hostile: every part becomes text, never markup.
import { ask } from './server.js';
import { count, element } from './text.js';

const MAX_ROWS = 200;
const SEVERE = new Set(['emerg', 'alert', 'crit', 'err']);
/** What a click adds to the filter, by column. */
const FIELDS = [
  ['source_ip', (it) => (/^[0-9a-f.:]+$/i.test(it) ? it : null)],
  ['severity', (it) => it],
  ['hostname', quoted],
  ['appname', quoted],
];
let running = null;
let shown = 0;
let skipped = 0;

function quoted(text) {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

function note(text) {
  document.getElementById('tail-note').textContent = text;
}

function filterInput() {
  return document.getElementById('where');
}

/** A cell whose value is a filter. */
function value(message, field, literal) {
  const cell = element('td');
  const text = message[field] ?? '';
  const compared = text === '' ? null : literal(text);
  if (compared === null) {
    cell.textContent = text;
  } else {
    const button = element('button', text);
    button.type = 'button';
    const condition = `${field} == ${compared}`;
    button.title = `only ${condition}`;
    button.addEventListener('click', () => {
      const where = filterInput().value.trim();
      filterInput().value = where === '' ? condition : `(${where}) and ${condition}`;
      start();
    });
    cell.append(button);
  }
  return cell;
}

function line(message) {
  const made = element('tr', null, SEVERE.has(message.severity) ? 'severe' : '');
  const time = (message.receive_time ?? '').replace(/^.*T/, '').replace(/(\.\d{3})\d*Z?$/, '$1');
  made.append(
    element('td', time),
    ...FIELDS.map(([field, literal]) => value(message, field, literal)),
    element('td', message.message ?? ''));
  return made;
}

function take(lines) {
  const messages = [];
  let end = null;
  for (const text of lines) {
    const message = JSON.parse(text);
    if (message.error !== undefined) {
      throw new Error(message.error);
    }
    if (message.searched !== undefined) {
      end = message;
    } else if (message.skipped === undefined) {
      messages.push(message);
    } else {
      skipped += message.skipped;
    }
  }
  shown += messages.length;
  const body = document.querySelector('#messages tbody');
  body.prepend(...messages.slice(-MAX_ROWS).reverse().map(line));
  while (body.rows.length > MAX_ROWS) {
    body.lastElementChild.remove();
  }
  if (end !== null) {
    return `${count(shown)} found in ${count(end.searched)} datagrams${end.complete ? '' : `; there is more${end.until === null ? '' : ` after ${end.until}`}`}`;
  }
  if (shown > 0 || skipped > 0) {
    note(`${count(shown)} messages${skipped > 0 ? `; ${count(skipped)} passed over: not all can be shown` : ''}`);
  }
  return null;
}

/** Shows what the service sends, and returns what is to be said at the end. */
async function run(query, signal) {
  const answer = await ask(`/api/messages?${query}`, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let end = null;
  for (;;) {
    const { done, value: text } = await reader.read();
    if (done) {
      return end ?? 'the service has ended the messages';
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    end = take(lines.filter((it) => it !== '')) ?? end;
  }
}

function stop() {
  running?.abort();
  running = null;
  document.getElementById('tail-button').textContent = 'Show messages';
}

/** Starts with the filter as it is; ends what runs. */
async function start(past = {}) {
  stop();
  const mine = new AbortController();
  running = mine;
  mine.where = filterInput().value;
  shown = 0;
  skipped = 0;
  document.getElementById('tail-button').textContent = 'Stop';
  document.getElementById('messages').hidden = false;
  document.querySelector('#messages tbody').replaceChildren();
  note('waiting for messages');
  try {
    note(await run(new URLSearchParams({ where: mine.where, ...past }), mine.signal));
  } catch (failure) {
    if (!mine.signal.aborted) {
      note(failure.message);
    }
  }
  if (running === mine) {
    stop();
  }
}

export function prepareTail() {
  document.getElementById('tail-form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (running && running.where === filterInput().value) {
      stop();
    } else {
      start();
    }
  });
  document.getElementById('search-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const field = (id) => document.getElementById(id).value.trim();
    start({ from: field('from') || '1h', until: field('until'), limit: MAX_ROWS });
  });
}
