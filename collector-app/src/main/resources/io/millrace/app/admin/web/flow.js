// Messages from the inputs through the journal to the outputs, with rates, and each loss at the place where it happens.
import { bytes, count, duration, element, rate, time } from './text.js';

const MOST = 6;
/** Rates of inputs are those of the last seconds. */
const SECONDS = 5;
const seen = new Map();
const get = (id) => document.getElementById(id);

function perSecond(name, now, total) {
  const samples = (seen.get(name) ?? []).filter((each) => now - each.now < SECONDS * 1000 && each.total <= total);
  samples.push({ now, total });
  seen.set(name, samples);
  const first = samples[0];
  return now > first.now ? (1000 * (total - first.total)) / (now - first.now) : null;
}

function input(each, now) {
  const sum = (values, name) => values.reduce((total, value) => total + (value[name] ?? 0), 0);
  const shards = each.shards ?? [];
  const total = sum(each.sockets, 'received') + sum(shards, 'messages');
  const dropped = sum(each.sockets, 'dropped');
  const losing = perSecond(`dropped ${each.name}`, now, dropped) > 0;
  const open = shards.length > 0 ? `${count(sum(shards, 'openConnections'))} connections` : '';
  return {
    name: each.name,
    rate: perSecond(each.name, now, total),
    classes: losing ? 'bad' : '',
    worst: losing ? 1 : 0,
    note: [each.address === each.name ? '' : each.address, open, losing ? 'loses messages now' : ''].filter(Boolean).join(' · '),
  };
}

function output(each, faults) {
  const mine = faults.filter(({ subject, kind }) => subject === each.name && /^(output|journal)-/.test(kind));
  const waiting = each.pending > 0 ? `${count(each.pending)} waiting` : '';
  const lag = each.lagMs >= 1000 ? `${duration(each.lagMs)} behind` : '';
  const line = each.perSecondLine;
  const bad = mine.some(({ level }) => level === 'failing');
  const notes = each.state === 'finished' ? ['finished']
    : each.problem ? [waiting, each.problem]
      : mine.length > 0 ? [lag, waiting, ...mine.map(({ kind }) => words[kind] ?? kind)] : [lag === '' ? 'up to date' : lag, lag === '' ? '' : waiting];
  return {
    name: each.name,
    rate: line.length > 0 ? line[line.length - 1] : null,
    classes: bad ? 'bad' : each.problem || mine.length > 0 ? 'warn' : '',
    worst: bad ? 2 : each.problem || mine.length > 0 ? 1 : 0,
    note: notes.filter(Boolean).join(' · '),
  };
}

/** What a fault means for an output, in a few words. */
const words = {
  'output-expired': 'messages were deleted before it read them',
  'output-rejects': 'rejects messages: dead letters',
  'output-lagging': 'lags',
  'journal-near-full': 'its messages nearly fill the journal',
};

function item(each) {
  const made = element('li', null, each.classes);
  const head = element('span');
  head.append(element('b', each.name), element('i', each.rate === null ? '–' : `${rate(each.rate)}/s`));
  const note = element('small', each.note);
  note.title = each.note;
  made.append(head, note);
  return made;
}

/** The worst first, then the busiest. */
function list(id, all, nothing) {
  all.sort((a, b) => b.worst - a.worst || (b.rate ?? 0) - (a.rate ?? 0));
  const shown = all.length > MOST ? all.slice(0, MOST - 1) : all;
  const rest = all.slice(shown.length);
  const items = shown.map(item);
  if (rest.length > 0) {
    items.push(item({ name: `${rest.length} more`, rate: rest.reduce((sum, each) => sum + (each.rate ?? 0), 0), classes: '', note: '' }));
  }
  get(id).replaceChildren(...(items.length > 0 ? items : [element('li', nothing, 'note')]));
}

function leak(id, title, number, classes, page, prefix = '') {
  const box = get(id);
  const made = element('strong', `${number > 0 ? prefix : ''}${count(number)}`);
  const link = element('a', title);
  link.href = page;
  box.className = `leak ${number > 0 ? classes : 'none'}`;
  box.replaceChildren(made, ' ', number > 0 ? link : document.createTextNode(title));
}

function showLeaks(status) {
  const of = (test, name) => status.losses.filter(test).reduce((total, loss) => total + (loss[name] ?? 0), 0);
  // Numbers that Millrace lost or rejected itself are missing, too.
  const missing = Math.max(0, (status.sources?.missing ?? 0) - of((loss) => loss.ours, 'sinceStart'));
  const sockets = (loss) => loss.ours && loss.stage === 'sockets';
  // The buffers of all sockets on the host include Millrace's.
  const ofOthers = (loss, name) => Math.max(0, (loss[name] ?? 0) - (loss.place === 'udpReceiveBuffer' ? of(sockets, name) : 0));
  const host = status.losses.filter((loss) => !loss.ours);
  const grows = host.some((loss) => ofOthers(loss, 'lastMinute') > 0);
  const most = Math.max(0, ...host.map((loss) => ofOthers(loss, 'lastHour')));
  if (missing > 0 && most === 0) {
    leak('leak-before', 'missing before this host, since the start', missing, 'warn', '/docs/operate/runbook/before-this-host.md');
  } else {
    leak('leak-before', 'lost on this host, last hour', most, grows ? 'warn' : 'info', '/docs/operate/runbook/README.md', 'up to ');
  }
  const lost = status.losses.filter(sockets).sort((a, b) => (b.lastHour ?? 0) - (a.lastHour ?? 0))[0];
  const rejected = of((loss) => loss.policy, 'lastHour');
  const dropped = of(sockets, 'lastHour');
  leak('leak-sockets', dropped > 0 || rejected === 0 ? 'lost at the sockets, last hour' : 'rejected by the policy, last hour',
    dropped > 0 ? dropped : rejected, dropped > 0 ? 'bad' : 'info', dropped > 0 ? `/docs/${lost.page}` : '/docs/operate/runbook/rejected.md');
  // They are counted at a start, before the first hour of this process.
  leak('leak-journal', 'lost at kills and power failures, ever', of((loss) => loss.ours && !loss.policy && loss.stage === 'journal', 'lifetime'), 'info',
    '/docs/operate/runbook/crash.md');
  const never = status.outputs.reduce((total, each) => total + each.missing + each.expired, 0);
  const dead = status.outputs.reduce((total, each) => total + each.deadLettered, 0);
  leak('leak-outputs', never > 0 ? 'deleted before outputs had read them' : 'dead letters', never > 0 ? never : dead, never > 0 ? 'bad' : 'warn',
    never > 0 ? '/docs/operate/runbook/destination-fails.md' : '/docs/operate/runbook/dead-letters.md');
}

function showJournal(status) {
  const blocked = status.shards.some((shard) => shard.blocked);
  const { journal } = status;
  const notes = [
    journal.oldest === null ? 'empty' : `since ${time(journal.oldest)}`,
    `${bytes(journal.bytes)}, ${bytes(status.freeBytes)} free`,
  ];
  document.querySelector('#flow .journal').classList.toggle('bad', blocked);
  get('flow-journal').replaceChildren(...(blocked ? [element('li', 'blocked: the disk is full or fails', 'bad')] : []), ...notes.map((text) => element('li', text)));
}

export function showFlow(status) {
  const now = Date.parse(status.now);
  get('rate-received').textContent = rate(status.perSecond.received);
  get('rate-journaled').textContent = rate(status.perSecond.journaled);
  get('rate-delivered').textContent = status.outputs.length === 0 ? '–' : rate(status.perSecond.delivered);
  list('flow-inputs', [...status.inputs, ...status.streams].map((each) => input(each, now)), 'none');
  list('flow-outputs', status.outputs.map((each) => output(each, status.faults)), 'none: messages stay in the journal');
  showJournal(status);
  showLeaks(status);
}
