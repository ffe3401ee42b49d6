package io.millrace.fuzz;

class FuzzCorpusTest extends FuzzCorpusContract {}
