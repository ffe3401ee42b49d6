package io.millrace.app.admin;

import io.millrace.app.report.Node;
import io.millrace.collector.SourcesStatus;
import org.jspecify.annotations.Nullable;

/** The field {@code sources} of {@code /api/status}, and {@code /api/sources}. */
final class SourcesJson {
    private SourcesJson() {}

    /** The field; null without source tracking. */
    static @Nullable Node of(@Nullable SourcesStatus sources) {
        return sources == null
                ? null
                : new Node()
                        .put("known", sources.known())
                        .put("forgotten", sources.forgotten())
                        .put("untracked", sources.untracked())
                        .put("missing", sources.missing())
                        .put("restarts", sources.restarts())
                        .put("unfollowed", sources.unfollowed())
                        .put("behind", sources.behind())
                        .put("skipped", sources.skipped())
                        .put("numbering", sources.numbering())
                        .put("top", Node.list(sources.top(), SourcesJson::top))
                        .put("silent", Node.list(sources.silent(), SourcesJson::silent))
                        .put("silentCount", sources.silentCount())
                        .put(
                                "gaps",
                                Node.list(
                                        sources.gaps(),
                                        each -> new Node()
                                                .put("source", each.source())
                                                .put("missing", each.missing())));
    }

    private static Node top(SourcesStatus.Top top) {
        return new Node()
                .put("source", top.source())
                .put("perSecond", StatusJson.rounded(top.perSecond()))
                .put("bytesPerSecond", StatusJson.rounded(top.bytesPerSecond()));
    }

    private static Node silent(SourcesStatus.Silent silent) {
        return new Node()
                .put("source", silent.source())
                .put("lastHeard", silent.lastHeard())
                .put("usualSilenceMs", silent.usualSilence().toMillis());
    }

    /**
     * The answer of {@code /api/sources}; null without source tracking.
     *
     * @param withHosts false to leave out the host names, which are a part of messages
     */
    static String of(SourcesStatus.@Nullable Found found, boolean withHosts) {
        return found == null
                ? new Node().put("sources", null).json()
                : new Node()
                        .put("matched", found.matched())
                        .put("sources", Node.list(found.sources(), each -> source(each, withHosts)))
                        .json();
    }

    private static Node source(SourcesStatus.Source source, boolean withHosts) {
        return new Node()
                .put("source", source.source())
                .put("host", withHosts ? source.host() : null)
                .put("relay", withHosts && source.relay())
                .put("lastHeard", source.lastHeard())
                .put("usualSilenceMs", source.usualSilence().toMillis())
                .put("silent", source.silent())
                .put("perMinute", source.perMinute());
    }
}
