/**
 * Alerts: tells people, by webhooks and a command, when a fault begins and when it ends.
 *
 * <pre>{@code
 * faults ─▶ AlertStates ─▶ NotificationLimit ─▶ AlertSender (one per target: queue, retries) ─▶ Webhook, AlertCommand
 * }</pre>
 *
 * <p>The thread {@code millrace-alert} looks at the faults once per second and never waits for a target. Each target has a
 * thread and a queue of its own. All of it is bounded: states, queues, attempts, and notifications per minute.
 */
package io.millrace.app.alert;
