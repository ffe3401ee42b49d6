package io.millrace.app;

import io.millrace.fuzz.FuzzCorpusContract;

class FuzzCorpusTest extends FuzzCorpusContract {}
