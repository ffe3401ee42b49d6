/**
 * Outputs to object storage with the interface of Amazon S3. A batch of the delivery becomes one object per prefix and shard, whose name
 * says which messages it has. The requests are signed here (Signature Version 4), on the delivery's thread.
 */
package io.millrace.output.s3;
