// The chart of rates. Its text says the same for those who do not see it.
/* global uPlot */
import { askJson } from './server.js';
import { count, time } from './text.js';

const LINES = ['received', 'delivered', 'lost'];
/** A value this many times above nearly all others is a spike, which would flatten the rest. */
const SPIKE = 3;
const NEARLY_ALL = 0.98;
const ROOM = 1.2;
let chart = null;
let top = null;

const get = (id) => document.getElementById(id);

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(values) {
  return { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui', ...values };
}

function make(box) {
  chart?.destroy();
  chart = new uPlot({
    width: box.clientWidth,
    height: box.clientHeight - 40,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    series: [
      { label: 'UTC', value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' },
      { label: 'received', stroke: colour('--accent'), fill: `${colour('--accent')}22`, width: 1.5, points: { show: false }, value: (_, value) => shown(value) },
      { label: 'delivered, all outputs', stroke: colour('--ink'), dash: [4, 3], width: 1, points: { show: false }, value: (_, value) => shown(value) },
      { label: 'lost', stroke: colour('--bad'), width: 2, points: { show: false }, value: (_, value) => shown(value) },
    ],
    axes: [
      axis({ space: 90, values: [[3600 * 24, '{YYYY}-{MM}-{DD}'], [60, '{HH}:{mm}'], [1, '{HH}:{mm}:{ss}']].map(([step, text]) => [step, text, null, null, null, null, null, null, 0]) }),
      axis({ size: 72, values: (_, values) => values.map((value) => count(value)) }),
    ],
    scales: { x: { time: true }, y: { range: (_, min, max) => [0, Math.max(1, top ?? max * 1.05)] } },
  }, [[], [], [], []], box);
  chart.colours = colour('--ink');
  box.dataset.colour = chart.colours;
}

function shown(value) {
  return value === null || value === undefined ? '–' : count(value);
}

/** The highest value that is shown; null for all. */
function limit(values) {
  const known = values.filter((value) => value !== null && value !== undefined).sort((a, b) => a - b);
  if (known.length === 0) {
    return null;
  }
  const usual = known[Math.floor((known.length - 1) * NEARLY_ALL)];
  return usual > 0 && known[known.length - 1] > usual * SPIKE ? usual * ROOM : null;
}

export async function showHistory(span) {
  const history = await askJson(`/api/history?of=${span}`);
  const box = get('chart');
  if (box.clientWidth === 0) {
    return;
  }
  const newest = Date.parse(history.newest) / 1000;
  const times = history.received.map((_, i, all) => newest - (all.length - 1 - i) * history.stepSeconds);
  const spike = limit([...history.received, ...history.delivered]);
  top = get('cut').checked ? spike : null;
  get('cut').parentElement.hidden = spike === null;
  if (chart === null || chart.colours !== colour('--ink') || chart.width !== box.clientWidth) {
    make(box);
  }
  chart.setData([times, ...LINES.map((name) => history[name])]);
  const known = history.received.filter((value) => value !== null);
  const cut = LINES.map((name) => ({ name, most: Math.max(0, ...history[name]) })).filter(({ most }) => top !== null && most > top)
    .map(({ name, most }) => `${name} ${count(most)} at ${time(new Date(times[history[name].indexOf(most)] * 1000).toISOString())}`);
  get('chart-text').textContent = known.length === 0
    ? 'Nothing is known yet.'
    : `Received at most ${count(Math.max(...known))} per second, on average ${count(known.reduce((a, b) => a + b, 0) / known.length)};`
      + ` lost ${count(history.lostCount)}.${cut.length === 0 ? '' : ` Cut off: ${cut.join(', ')}.`}`;
}
