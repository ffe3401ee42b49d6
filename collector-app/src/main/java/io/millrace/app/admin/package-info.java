/**
 * Admin HTTP: the page, metrics, health, and the data of the page. It is read-only and has separate threads, so no
 * request can disturb receiving. docs/reference/admin.md describes it.
 */
package io.millrace.app.admin;
