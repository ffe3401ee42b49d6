package io.millrace.app.config;

import io.millrace.collector.TlsServerSettings;
import io.millrace.internal.tls.TlsFileCheck;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class TlsInputSettings {
    static final Section SECTION = Section.of(
            "tls",
            "The TLS of an input on `tls://` or `relp://`: versions 1.2 and 1.3. RELP has no TLS without it.",
            TlsServerSettings.ALL.toArray(new Setting<?>[0]));

    private TlsInputSettings() {}

    /** The section as options of {@code run} give it. */
    static Tree.Member member(Mark mark, @Nullable String certificateFile, @Nullable String keyFile) {
        List<Tree.Member> files = new ArrayList<>();
        if (certificateFile != null) {
            files.add(new Tree.Member(
                    mark, TlsServerSettings.CERTIFICATE_FILE.key(), Tree.Scalar.of(mark, certificateFile)));
        }
        if (keyFile != null) {
            files.add(new Tree.Member(mark, TlsServerSettings.KEY_FILE.key(), Tree.Scalar.of(mark, keyFile)));
        }
        return new Tree.Member(mark, SECTION.key(), new Tree.Mapping(mark, files));
    }

    /** Reads the files of an input; reports what is wrong with them. */
    static void checkFiles(String key, Bound tls, FileProblems problems) {
        TlsServerSettings settings = TlsServerSettings.of(tls.settings());
        if (settings != null) {
            problems.add(
                    key,
                    tls,
                    Map.of(
                            TlsFileCheck.Part.CERTIFICATE,
                            TlsServerSettings.CERTIFICATE_FILE,
                            TlsFileCheck.Part.KEY,
                            TlsServerSettings.KEY_FILE,
                            TlsFileCheck.Part.TRUST,
                            TlsServerSettings.CLIENT_CA_FILE),
                    new TlsFileCheck().server(settings));
        }
    }

    /** Reports what is missing, or does not go together, in the section of an input on TLS. */
    static void check(String key, Bound tls, Mark ofInput, List<Problem> problems) {
        for (Setting<Path> file : List.of(TlsServerSettings.CERTIFICATE_FILE, TlsServerSettings.KEY_FILE)) {
            if (tls.mark(file) == null) {
                problems.add(Problem.of(ofInput, key + "." + file.key(), "is missing: an input on TLS needs it"));
            }
        }
        try {
            var unused = TlsServerSettings.of(tls.settings());
        } catch (SettingException e) {
            problems.add(tls.problem(key, e));
        }
    }
}
