// Messages as they come. They are hostile: every part becomes text, never markup.
import { ask } from './server.js';
import { count, element } from './text.js';

const MAX_ROWS = 200;
const SEVERE = new Set(['emerg', 'alert', 'crit', 'err']);
let running = null;
let skipped = 0;

function note(text) {
  document.getElementById('tail-note').textContent = text;
}

function show(message) {
  const line = element('tr', null, SEVERE.has(message.severity) ? 'severe' : '');
  const time = (message.receive_time ?? '').replace(/^.*T/, '').replace(/(\.\d{3})\d*Z?$/, '$1');
  for (const text of [time, message.source_ip, message.severity, message.hostname, message.appname, message.message]) {
    line.append(element('td', text ?? ''));
  }
  const body = document.querySelector('#messages tbody');
  body.prepend(line);
  while (body.rows.length > MAX_ROWS) {
    body.lastElementChild.remove();
  }
}

function take(text) {
  const message = JSON.parse(text);
  if (message.error !== undefined) {
    throw new Error(message.error);
  }
  if (message.skipped === undefined) {
    show(message);
  } else {
    skipped += message.skipped;
  }
  note(skipped > 0 ? `${count(skipped)} passed over: not all can be shown` : '');
}

async function run(where, signal) {
  const answer = await ask(`/api/messages?where=${encodeURIComponent(where)}`, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    lines.filter((line) => line !== '').forEach(take);
  }
}

function stop() {
  running?.abort();
  running = null;
  document.getElementById('tail-button').textContent = 'Show messages';
}

export function prepareTail() {
  document.getElementById('tail-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running) {
      stop();
      note('');
      return;
    }
    const mine = new AbortController();
    running = mine;
    skipped = 0;
    document.getElementById('tail-button').textContent = 'Stop';
    document.getElementById('messages').hidden = false;
    document.querySelector('#messages tbody').replaceChildren();
    note('waiting for messages');
    try {
      await run(document.getElementById('where').value, mine.signal);
      note('the service has ended the messages');
    } catch (failure) {
      if (!mine.signal.aborted) {
        note(failure.message);
      }
    }
    if (running === mine) {
      stop();
    }
  });
}
