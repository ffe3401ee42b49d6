// The chart of rates. Its text says the same for those who do not see it.
/* global Chart */
import { askJson } from './server.js';
import { count } from './text.js';

const LINES = [
  ['received', '--one'],
  ['journaled', '--two'],
  ['delivered', '--three'],
  ['lost', '--four'],
];
/** The distance of the labels of the time axis, in ms. */
const ROUND = { minutes: 60_000, hour: 600_000, day: 4 * 3_600_000 };
let chart = null;

/** A label at each round time of the local clock, else nothing. */
function label(time, step, round) {
  const local = time - new Date(time).getTimezoneOffset() * 60_000;
  return Math.floor(local / round) === Math.floor((local - step) / round) ? ''
    : new Date(time - (local % round)).toLocaleTimeString([], { hour12: false, hour: '2-digit', minute: '2-digit' });
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function make() {
  chart = new Chart(document.getElementById('chart'), {
    type: 'line',
    data: { labels: [], datasets: LINES.map(([label]) => ({ label, data: [], borderWidth: 1.5, pointRadius: 0, tension: 0 })) },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: { ticks: { autoSkip: false, maxRotation: 0 }, grid: { display: false } },
        y: { beginAtZero: true, ticks: { maxTicksLimit: 6, callback: (value) => Number(value).toLocaleString('en-US') } },
      },
      plugins: { legend: { labels: { boxWidth: 14, boxHeight: 2 } } },
    },
  });
}

function paint() {
  LINES.forEach(([, name], i) => {
    chart.data.datasets[i].borderColor = colour(name);
    chart.data.datasets[i].backgroundColor = colour(name);
  });
  chart.options.color = colour('--ink');
  for (const axis of [chart.options.scales.x, chart.options.scales.y]) {
    axis.ticks.color = colour('--soft');
    axis.grid = { ...axis.grid, color: colour('--line') };
  }
}

export async function showHistory(span) {
  const history = await askJson(`/api/history?of=${span}`);
  if (!chart) {
    make();
  }
  paint();
  const newest = Date.parse(history.newest);
  const length = history.received.length;
  chart.data.labels = history.received.map((_, i) => label(newest - (length - 1 - i) * history.stepSeconds * 1000, history.stepSeconds * 1000, ROUND[span]));
  LINES.forEach(([label], i) => {
    chart.data.datasets[i].data = history[label];
  });
  chart.update('none');
  const known = history.received.filter((value) => value !== null);
  document.getElementById('chart-text').textContent = known.length === 0
    ? 'Nothing is known yet.'
    : `Received at most ${count(Math.max(...known))} per second, on average ${count(known.reduce((a, b) => a + b, 0) / known.length)}; `
      + `lost ${count(history.lostCount)}.`;
}
