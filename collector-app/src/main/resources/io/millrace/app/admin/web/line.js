// A small line without axes, as high as its highest value.

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 120;
const HEIGHT = 20;

export function line(values, label) {
  const most = Math.max(1, ...values);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute('width', WIDTH);
  svg.setAttribute('height', HEIGHT);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  const path = document.createElementNS(SVG, 'polyline');
  const step = (WIDTH - 2) / Math.max(1, values.length - 1);
  path.setAttribute('points', values.map((value, i) =>
    `${(1 + i * step).toFixed(1)},${(HEIGHT - 2 - (value * (HEIGHT - 4)) / most).toFixed(1)}`).join(' '));
  svg.append(path);
  return svg;
}
