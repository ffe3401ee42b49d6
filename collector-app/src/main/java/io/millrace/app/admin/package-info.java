/**
 * Admin HTTP: the page for people, metrics, health, and what the page is made from. It only reads, on threads of its own, so
 * that no request can disturb receiving. docs/admin.md lists what there is.
 */
package io.millrace.app.admin;
