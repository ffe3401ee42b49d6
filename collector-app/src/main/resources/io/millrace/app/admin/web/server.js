// Asks the server. With a token in the configuration, the page keeps it for as long as its tab is open.

const KEY = 'millrace.token';

export function keepToken(token) {
  sessionStorage.setItem(KEY, token);
}

export function hasToken() {
  return sessionStorage.getItem(KEY) !== null;
}

export async function ask(path, signal) {
  const token = sessionStorage.getItem(KEY);
  const answer = await fetch(path, {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    cache: 'no-store',
    signal: signal ?? AbortSignal.timeout(5000),
  });
  if (!answer.ok) {
    const failure = new Error((await answer.text()).trim() || `the server answered ${answer.status}`);
    failure.status = answer.status;
    throw failure;
  }
  return answer;
}

export async function askJson(path) {
  return (await ask(path)).json();
}
