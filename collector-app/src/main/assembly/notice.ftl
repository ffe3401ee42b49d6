Millrace
Copyright 2026 The Millrace maintainers

Millrace is licensed under the Apache License, Version 2.0: see LICENSE.

The directory lib holds these libraries, each under a licence of its own (one of them, where several are named). The texts that they
bring along, licences and notices, are in the directory licenses.

<#list dependencyMap as e><#assign artifact = e.getKey()/><#assign licences = e.getValue()/>
${artifact.name} (${artifact.groupId}:${artifact.artifactId}:${artifact.version})
    <#list licences as licence>${licence}<#sep>; </#list><#if artifact.url??>
    ${artifact.url}</#if>
</#list>
