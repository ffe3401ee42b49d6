// The page: asks for the status each second, for the chart each five, and shows it.
import { showFlow } from './flow.js';
import { showHistory } from './history.js';
import { line } from './line.js';
import { prepareSources, showFound } from './sources.js';
import { askJson, hasToken, keepToken } from './server.js';
import { prepareTail } from './tail.js';
import { bytes, count, duration, element, fill, milliseconds, row, time } from './text.js';

const get = (id) => document.getElementById(id);
const classes = { ok: 'good', notice: 'info', degraded: 'warn', failing: 'bad' };
const body = (id) => document.querySelector(`#${id} tbody`);
const MOST_FAULTS = 4;

function showState(status) {
  const faults = status.faults.filter(({ kind }) => kind !== 'source-silent');
  const quiet = silent(status);
  const words = { ready: faults.length === 0 ? ['ready', quiet?.text].filter(Boolean).join(', ') : status.level, notReady: 'not ready', stopping: 'stopping' };
  get('state').textContent = words[status.state] ?? status.state;
  get('state').className = classes[status.level];
  get('about').textContent = `${status.host} · ${status.version} · up ${duration(Date.parse(status.now) - Date.parse(status.startedAt))}`
    + ` · ${status.transport}, ${status.receivers} ${status.receivers === 1 ? 'receiver' : 'receivers'} · ${status.dataDirectory}`;
  const items = faults.slice(0, MOST_FAULTS).map(fault);
  if (faults.length > items.length) {
    items.push(element('li', `${faults.length - items.length} more`));
  }
  if (quiet !== null) {
    items.push(fault(quiet));
  }
  get('problems').hidden = items.length === 0;
  get('problems').replaceChildren(...items);
  showInTab(status.level, status.host, faults[0]?.text);
}

/** All silent sources as one fault, by name as long as they are few. */
function silent({ sources, faults }) {
  const number = sources?.silentCount ?? 0;
  const first = faults.find(({ kind }) => kind === 'source-silent');
  if (number === 0 || first === undefined) {
    return null;
  }
  const named = number <= 2 ? `: ${sources.silent.map(({ source }) => source).join(', ')}` : '';
  return { ...first, text: `${count(number)} ${number === 1 ? 'source is' : 'sources are'} silent${named}` };
}

function fault({ level, text, remedy, page }) {
  const item = element('li', `${text} `, classes[level]);
  if (remedy !== null) {
    item.append(element('span', `${remedy} `, 'note'));
  }
  const link = element('a', 'Runbook');
  link.href = `/docs/${page}`;
  link.setAttribute('aria-label', `Runbook: ${text}`);
  item.append(link);
  return item;
}

/** The title and the icon of the tab show a fault, too: the page may be one of many. */
function showInTab(level, host, worst) {
  document.title = worst === undefined ? `Millrace on ${host}` : `! ${worst.slice(0, 60)} · Millrace on ${host}`;
  const colour = getComputedStyle(document.documentElement).getPropertyValue(`--${classes[level] === 'info' ? 'accent' : classes[level]}`).trim();
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${colour}"/></svg>`;
  document.querySelector('link[rel=icon]').href = `data:image/svg+xml,${encodeURIComponent(icon)}`;
}

function sum(losses, name) {
  return losses.filter((loss) => loss.ours && !loss.policy).reduce((total, loss) => total + (loss[name] ?? 0), 0);
}

function showSummary(status) {
  const hour = sum(status.losses, 'lastHour');
  get('lost-hour').textContent = count(hour);
  get('lost-minute').textContent = count(sum(status.losses, 'lastMinute'));
  get('summary').className = hour > 0 ? 'bad' : '';
  get('lost-minute').className = sum(status.losses, 'lastMinute') > 0 ? 'bad' : '';
}

function showPlaces(status) {
  fill(body('path'), status.losses.map((loss) => {
    const bad = loss.ours && !loss.policy ? 'bad' : 'warn';
    const upTo = !loss.ours && loss.lastHour > 0 ? 'up to ' : '';
    const link = element('a', loss.title);
    link.href = `/docs/${loss.page}`;
    link.title = `counted by ${loss.source}`;
    const place = element('td');
    place.append(link);
    return row(
      place, element('td', `${upTo}${count(loss.lastHour)}`, loss.lastHour > 0 && !loss.policy ? bad : 'number'),
      element('td', count(loss.lastMinute), loss.lastMinute > 0 && !loss.policy ? bad : 'number'), element('td', loss.remedy, 'note'));
  }), 'None.', 4);
  if (status.lastKilled) {
    body('path').append(row('sockets of the killed process', 'unknown', '', element('td', 'the process before this one was killed', 'note')));
  }
}

function withLine(values, text, now) {
  if (values.length === 0) {
    return now;
  }
  const cell = element('td', null, 'number');
  const newest = text(values[values.length - 1]);
  cell.append(line(values, `at most ${text(Math.max(...values))} in the last five minutes, now ${newest}`), ` ${newest}`);
  return cell;
}

function showOutputs(status) {
  fill(body('outputs'), status.outputs.map((output) => row(
    output.name, count(output.pending), withLine(output.lagMsLine, duration, duration(output.lagMs)),
    element('td', output.problem ?? (output.state === 'finished' ? 'finished' : ''), output.problem ? 'bad' : ''),
    withLine(output.perSecondLine, count, '–'), count(output.acked), count(output.filtered), count(output.deadLettered),
    element('td', count(output.missing + output.expired), output.missing + output.expired > 0 ? 'bad' : 'number'), count(output.retries))),
  'There are none: messages stay in the journal.', 10);
}

function buffer(socket) {
  const cell = document.createElement('td');
  if (socket.queuedBytes === null) {
    cell.textContent = `${bytes(socket.bufferBytes)}, fill unavailable`;
    return cell;
  }
  const meter = document.createElement('meter');
  meter.max = socket.bufferBytes;
  meter.high = socket.bufferBytes / 2;
  meter.value = socket.queuedBytes;
  meter.textContent = `${Math.round((100 * socket.queuedBytes) / socket.bufferBytes)} %`;
  cell.append(meter, ` ${bytes(socket.queuedBytes)} of ${bytes(socket.bufferBytes)}`);
  return cell;
}

function showConnections(streams) {
  const rows = [];
  for (const input of streams) {
    for (const shard of input.shards) {
      const failed = Object.entries(shard)
        .filter(([name]) => /^closed(Error|Framing|Tls.*|ProxyHeader)$/.test(name))
        .reduce((total, [, value]) => total + value, 0);
      const refused = shard.refusedMax + shard.refusedPerSource + shard.refusedDenied;
      rows.push(row(named(input), shard.shard, count(shard.openConnections),
        element('td', count(refused), refused > 0 ? 'bad' : 'number'), count(failed), count(shard.accepted),
        count(shard.messages), bytes(shard.readBytes), count(shard.truncated), count(shard.incomplete), count(shard.framingErrors)));
    }
  }
  get('connections-table').hidden = rows.length === 0;
  fill(body('connections'), rows, 'There are none.', 11);
}

function named(input) {
  return `${input.name} ${input.name.includes(input.address) ? '' : input.address}`;
}

function showReceivers(status) {
  const rows = [];
  for (const input of [...status.inputs, ...status.streams]) {
    for (const socket of input.sockets) {
      rows.push(row(named(input), socket.shard, count(socket.received),
        element('td', count(socket.dropped), socket.dropped > 0 ? 'bad' : 'number'), count(socket.truncated), buffer(socket)));
    }
  }
  showConnections(status.streams.filter((input) => input.shards.length > 0));
  fill(body('sockets'), rows, 'There are none.', 6);
  fill(body('shards'), status.shards.map((shard) => row(
    shard.shard, milliseconds(shard.journalLatencyMs.p50), milliseconds(shard.journalLatencyMs.p99),
    milliseconds(shard.journalLatencyMs.max), milliseconds(shard.appendMs.p99), count(shard.batchDatagrams.p50),
    count(shard.ringDepth.p99), count(shard.stalls))), 'There are none.', 8);
  const received = status.shards.map((shard) => shard.received);
  const all = received.reduce((a, b) => a + b, 0);
  get('skew').textContent = received.length < 2 || all === 0 ? ''
    : `The busiest of ${received.length} shards has ${Math.round((100 * Math.max(...received)) / all)} % of all.`;
}

function showSources(sources) {
  get('sources').hidden = !sources;
  if (!sources) {
    return;
  }
  get('sources-note').textContent = `${count(sources.known)} known; ${count(sources.missing)} missing numbers.${sources.skipped ? ` Sampled: ${count(sources.skipped)} messages were not read.` : ''}`;
  fill(body('top'), sources.top.map((each) => row(each.source, count(each.perSecond))), 'None yet.', 2);
  fill(body('silent'), sources.silent.map((each) => row(each.source, time(each.lastHeard))), 'None.', 2);
  fill(body('gaps'), sources.gaps.map((each) => row(each.source, count(each.missing))), 'None.', 2);
}

function finding(each) {
  const item = element('li', null);
  const classes = { loses: 'bad', risk: 'warn' };
  item.append(element('span', `${each.severity}: `, classes[each.severity] ?? ''),
    element('span', `${each.subject ? `${each.subject}: ` : ''}${each.seen} `),
    element('span', [each.why, each.advice].filter(Boolean).join(' '), 'note'));
  item.append(...each.now.map((command) => element('code', command)));
  return item;
}

async function showDoctor() {
  let findings;
  try {
    ({ findings } = await askJson('/api/doctor'));
  } catch {
    return; // The rest of the page shows whether the service answers.
  }
  const shown = findings.filter((each) => ['loses', 'risk'].includes(each.severity));
  get('doctor').hidden = false;
  get('findings').replaceChildren(...(shown.length > 0 ? shown.map(finding)
    : [element('li', 'The doctor found no cause of loss on this host.')]));
}

async function refresh() {
  const status = await askJson('/api/status');
  get('token-form').hidden = true;
  get('ledger-link').hidden = hasToken(); // A link cannot show a token.
  showState(status);
  showSummary(status);
  showFlow(status);
  showPlaces(status);
  showOutputs(status);
  showReceivers(status);
  showSources(status.sources);
}

function onFailure(failure) {
  get('state').className = 'bad';
  showInTab('failing', location.hostname, 'no answer');
  if (failure.status === 401) {
    get('state').textContent = 'a token is needed';
    get('token-form').hidden = false;
  } else {
    get('state').textContent = 'no answer from the service';
  }
}

async function every(seconds, task) {
  for (;;) {
    try {
      if (!document.hidden && !get('pause').checked) {
        await task();
      }
    } catch (failure) {
      onFailure(failure);
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

get('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  keepToken(get('token').value);
  refresh().catch(onFailure);
  showDoctor();
});
const span = () => document.querySelector('input[name=span]:checked').value;
for (const choice of document.querySelectorAll('input[name=span]')) {
  choice.addEventListener('change', () => showHistory(span()).catch(onFailure));
}
get('cut').addEventListener('change', () => showHistory(span()).catch(onFailure));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => showHistory(span()).catch(onFailure));
addEventListener('resize', () => showHistory(span()).catch(onFailure));
prepareTail();
prepareSources(onFailure);
every(1, refresh);
every(5, () => showHistory(span()));
every(5, showFound);
every(300, showDoctor);
