// The table of known sources, with a search and a line of the last half hour for each.
import { line } from './line.js';
import { askJson } from './server.js';
import { count, duration, element, fill, row } from './text.js';

const get = (id) => document.getElementById(id);
const FIRST = 10;
const MOST = 999;
let limit = FIRST;
/** The newest request: an earlier answer that comes later is not shown. */
let asked = 0;

function perMinute(values) {
  // The current minute is not over: it would always look like a fall.
  const whole = values.slice(0, -1);
  const newest = count(whole[whole.length - 1]);
  const cell = element('td', null, 'number');
  cell.append(line(whole, `at most ${count(Math.max(...whole))} per minute, ${newest} in the last minute`), ` ${newest}`);
  return cell;
}

function shown(each) {
  const host = each.host === null ? '' : each.relay ? `${each.host} and others` : each.host;
  return row(
    each.source, element('td', host),
    element('td', `${duration(Math.max(0, Date.now() - Date.parse(each.lastHeard)))} ago`, each.silent ? 'bad' : 'number'),
    perMinute(each.perMinute), duration(each.usualSilenceMs));
}

export async function showFound() {
  if (get('sources').hidden) {
    return;
  }
  const text = get('find').value.trim();
  asked += 1;
  const mine = asked;
  const found = await askJson(`/api/sources?limit=${limit}&contains=${encodeURIComponent(text)}`);
  if (found.sources === null || mine !== asked) {
    return;
  }
  fill(document.querySelector('#found tbody'), found.sources.map(shown), text === '' ? 'None yet.' : 'None matches.', 5);
  get('found-note').textContent = found.sources.length < found.matched ? `${count(found.sources.length)} of ${count(found.matched)}` : '';
  get('more').hidden = found.sources.length === found.matched || limit === MOST;
}

export function prepareSources(onFailure) {
  let waiting;
  get('find').addEventListener('input', () => {
    limit = FIRST;
    clearTimeout(waiting);
    waiting = setTimeout(() => showFound().catch(onFailure), 200);
  });
  get('find-form').addEventListener('submit', (event) => {
    event.preventDefault();
  });
  get('more').addEventListener('click', () => {
    limit = Math.min(MOST, limit * 10);
    showFound().catch(onFailure);
  });
}
