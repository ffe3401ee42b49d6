package io.millrace.app.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The types of outputs. */
public final class OutputTypes {
    /** The key of the section. */
    static final String KEY = "outputs";

    private final Map<String, OutputType> types = new LinkedHashMap<>();
    private final Setting<String> kind;
    private final NamedSections outputs;

    /** Creates a list of types, in the order of the reference. */
    public OutputTypes(List<OutputType> list) {
        Map<String, Section> kinds = new LinkedHashMap<>();
        for (OutputType type : list) {
            types.put(type.name(), type);
            List<Entry> common =
                    new ArrayList<>(type.takesFormat() ? OutputSettings.COMMON : OutputSettings.WITHOUT_FORMAT);
            common.add(type.batch().section());
            kinds.put(type.name(), type.settings().after(type.help(), common));
        }
        kind = Setting.required(
                "type",
                ValueTypes.oneOf(kinds.keySet().toArray(String[]::new)),
                "The type, which determines the other settings.");
        outputs = NamedSections.byType(
                KEY,
                "The outputs, by names of your choice. An output continues at the position stored under its name, so"
                        + " a renamed output starts again.",
                "none",
                kind,
                kinds);
    }

    /** The section of the file. */
    NamedSections section() {
        return outputs;
    }

    /** The outputs that the file describes. */
    OutputConfig output(String name, Bound bound) {
        String type = bound.get(kind);
        OutputType chosen = types.get(type);
        if (chosen == null) {
            throw new IllegalStateException("no output type " + type);
        }
        return new OutputConfig(name, chosen, bound, bound.mark());
    }
}
