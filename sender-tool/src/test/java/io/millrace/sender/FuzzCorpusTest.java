package io.millrace.sender;

import io.millrace.fuzz.FuzzCorpusContract;

class FuzzCorpusTest extends FuzzCorpusContract {}
