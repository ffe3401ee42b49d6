package io.millrace.agent;
