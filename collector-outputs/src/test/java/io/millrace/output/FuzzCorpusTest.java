package io.millrace.output;

import io.millrace.fuzz.FuzzCorpusContract;

class FuzzCorpusTest extends FuzzCorpusContract {}
