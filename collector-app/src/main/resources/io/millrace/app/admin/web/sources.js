// The table of known sources, with a search and a line of the last half hour for each.
import { askJson } from './server.js';
import { count, duration, element, fill, row } from './text.js';

const get = (id) => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 120;
const HEIGHT = 20;
const FIRST = 10;
const MOST = 999;
let limit = FIRST;

function line(values) {
  const most = Math.max(1, ...values);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute('width', WIDTH);
  svg.setAttribute('height', HEIGHT);
  svg.setAttribute('role', 'img');
  // The current minute is not over: it would always look like a fall.
  const whole = values.slice(0, -1);
  svg.setAttribute('aria-label', `at most ${count(Math.max(...whole))} per minute, ${count(whole[whole.length - 1])} in the last minute`);
  const path = document.createElementNS(SVG, 'polyline');
  path.setAttribute('points', whole.map((value, i) =>
    `${(1 + (i * (WIDTH - 2)) / (whole.length - 1)).toFixed(1)},${(HEIGHT - 2 - (value * (HEIGHT - 4)) / most).toFixed(1)}`).join(' '));
  svg.append(path);
  const cell = element('td', null, 'number');
  cell.append(svg, ` ${count(whole[whole.length - 1])}`);
  return cell;
}

function shown(each) {
  const host = each.host === null ? '' : each.relay ? `${each.host} and others` : each.host;
  return row(
    each.source, element('td', host), line(each.perMinute),
    element('td', `${duration(Math.max(0, Date.now() - Date.parse(each.lastHeard)))} ago`, each.silent ? 'bad' : 'number'),
    duration(each.usualSilenceMs));
}

export async function showFound() {
  if (get('sources').hidden) {
    return;
  }
  const text = get('find').value.trim();
  const found = await askJson(`/api/sources?limit=${limit}&contains=${encodeURIComponent(text)}`);
  if (found.sources === null) {
    return;
  }
  fill(document.querySelector('#found tbody'), found.sources.map(shown), text === '' ? 'None yet.' : 'None matches.', 5);
  get('found-note').textContent = found.sources.length < found.matched ? `${count(found.sources.length)} of ${count(found.matched)}` : '';
  get('more').hidden = found.sources.length === found.matched || limit === MOST;
}

export function prepareSources(onFailure) {
  get('find').addEventListener('input', () => {
    limit = FIRST;
    showFound().catch(onFailure);
  });
  get('find-form').addEventListener('submit', (event) => {
    event.preventDefault();
  });
  get('more').addEventListener('click', () => {
    limit = Math.min(MOST, limit * 10);
    showFound().catch(onFailure);
  });
}
