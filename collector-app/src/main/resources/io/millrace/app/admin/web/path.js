// The path of the datagrams: stages from the network card to the outputs, the rates between them, and where datagrams are dropped.
import { count, element, rate } from './text.js';

const TITLES = { card: 'network card', kernel: 'kernel', sockets: 'sockets', receiver: 'receivers', journal: 'journal' };
/** The drop points whose remedies are shown, by place. */
const opened = new Set();

function drop(loss) {
  const item = element('li', null, loss.ours ? 'ours' : '');
  const hour = loss.lastHour;
  const lost = hour === null ? 'unavailable' : `${!loss.ours && hour > 0 ? 'up to ' : ''}${count(hour)}`;
  if (loss.lastMinute > 0 && !loss.policy) {
    item.classList.add(loss.ours ? 'bad' : 'warn');
  } else if (!(hour > 0)) {
    item.classList.add('none');
  }
  const button = element('button');
  button.type = 'button';
  button.title = `counted by ${loss.source}`;
  button.dataset.place = loss.place;
  button.setAttribute('aria-expanded', opened.has(loss.place));
  button.append(element('span', loss.title), ' ', element('strong', lost));
  item.append(button);
  if (loss.lastMinute > 0) {
    item.append(element('span', `${count(loss.lastMinute)} in the last minute`, 'note'));
  }
  if (opened.has(loss.place)) {
    item.append(element('span', loss.remedy, 'note remedy'));
  }
  return item;
}

function stage(title, note, bad, drops) {
  const item = element('li', null, bad ? 'stage bad' : 'stage');
  item.append(element('h3', title), element('span', note, 'note'));
  if (drops.length > 0) {
    const list = element('ul');
    list.append(...drops);
    item.append(list);
  }
  return item;
}

function arrow(perSecond) {
  const item = element('li', null, 'arrow');
  if (perSecond !== undefined) {
    item.append(element('strong', rate(perSecond)), element('span', ' per second', 'note'));
  }
  return item;
}

function inputs(status) {
  const number = status.inputs.length + status.streams.length;
  return `${number} ${number === 1 ? 'input' : 'inputs'}`;
}

function notes(status) {
  const killed = status.lastKilled ? ', loss at the last kill unknown' : '';
  const merged = status.merged > 0 ? `, ${count(status.merged)} merged` : '';
  return {
    card: 'whole host',
    kernel: 'whole host',
    sockets: inputs(status) + killed,
    receiver: `${count(status.received)} received`,
    journal: `${count(status.journaled)} journaled${merged}, ${count(status.inFlight)} in flight`,
  };
}

function output(each) {
  const item = element('li', null, each.problem !== null || each.expired > 0 ? 'bad' : 'ours');
  item.append(element('span', `output ${each.name} `), element('strong', each.state === 'finished' ? 'finished' : `${count(each.pending)} pending`));
  item.append(element('span', each.problem ?? `${count(each.deadLettered)} dead letters, ${count(each.missing + each.expired)} missing`, 'note'));
  return item;
}

function draw(status) {
  const note = notes(status);
  const blocked = status.shards.some((shard) => shard.blocked);
  const before = { receiver: status.perSecond.received, journal: status.perSecond.journaled };
  const items = [];
  for (const [key, title] of Object.entries(TITLES)) {
    if (items.length > 0) {
      items.push(arrow(before[key]));
    }
    const drops = status.losses.filter((loss) => loss.stage === key).map(drop);
    items.push(stage(title, note[key], key === 'journal' && blocked, drops));
  }
  if (status.outputs.length > 0) {
    items.push(arrow(status.perSecond.delivered), stage('outputs', '', false, status.outputs.map(output)));
  }
  const focused = document.activeElement?.dataset?.place;
  document.getElementById('path').replaceChildren(...items);
  if (focused !== undefined) {
    document.querySelector(`#path button[data-place="${focused}"]`)?.focus();
  }
}

export function showPath(status) {
  document.getElementById('path').onclick = (event) => {
    const place = event.target.closest('button')?.dataset.place;
    if (place !== undefined && !opened.delete(place)) {
      opened.add(place);
    }
    draw(status);
  };
  draw(status);
}
