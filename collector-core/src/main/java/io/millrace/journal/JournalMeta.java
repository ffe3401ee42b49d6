package io.millrace.journal;

import java.util.List;

/**
 * The metadata of a journal.
 *
 * @param journalId the random id of the journal
 * @param created the creation time in ISO 8601
 * @param shards the number of shards that were ever written; they are numbered from 0
 * @param inputs the names of the inputs by their id; append-only, an id is never reused
 */
public record JournalMeta(long journalId, String created, int shards, List<String> inputs) {
    /** The name of an input, or its number if the id is unknown. */
    public String inputName(int id) {
        return id < inputs.size() ? inputs.get(id) : "#" + id;
    }
}
