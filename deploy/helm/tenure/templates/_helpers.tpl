{{- define "tenure.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "tenure.selector" -}}
app.kubernetes.io/name: tenure
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "tenure.labels" -}}
{{ include "tenure.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "tenure.image" -}}
{{- if contains "@" .Values.image.repository -}}
{{ .Values.image.repository }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* Of a pod: initdb aside, the user of the image; files of the Secret are for its group. */}}
{{- define "tenure.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tenure.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end }}

{{/* Settings of every process; secrets are files. */}}
{{- define "tenure.env" -}}
- { name: APP_URL, value: {{ .Values.appUrl | quote }} }
- { name: APP_KEY_FILE, value: /run/secrets/tenure/app-key }
{{- if not .Values.embedded.enabled }}
- { name: DATABASE_URL_FILE, value: /run/secrets/tenure/database-url }
{{- end }}
{{- with .Values.storageUrl }}
- { name: STORAGE_URL, value: {{ . | quote }} }
{{- end }}
{{- if .Values.secretHas.s3 }}
- { name: S3_ACCESS_KEY_ID_FILE, value: /run/secrets/tenure/s3-access-key-id }
- { name: S3_SECRET_ACCESS_KEY_FILE, value: /run/secrets/tenure/s3-secret-access-key }
{{- end }}
{{- if .Values.secretHas.smtpUrl }}
- { name: SMTP_URL_FILE, value: /run/secrets/tenure/smtp-url }
{{- end }}
{{- range $name, $key := .Values.secretSettings }}
- { name: {{ $name }}_FILE, value: {{ printf "/run/secrets/tenure/%s" $key | quote }} }
{{- end }}
- { name: METRICS_PORT, value: "9100" }
- { name: METRICS_HOST, value: 0.0.0.0 }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* Where processes say how they are: http, or metrics where they take no requests. */}}
{{- define "tenure.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: {{ .port }} }
  periodSeconds: 2
  failureThreshold: {{ .starts }}
readinessProbe:
  httpGet: { path: /readyz, port: {{ .port }} }
  periodSeconds: {{ .ready }}
  failureThreshold: {{ .failures }}
livenessProbe:
  httpGet: { path: /livez, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- define "tenure.mounts" -}}
- { name: secrets, mountPath: /run/secrets/tenure, readOnly: true }
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- end }}

{{/* The owner's address is only in pods that migrate; one with its own database keeps its data in a volume. */}}
{{- define "tenure.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .root.Values.existingSecret }}
    defaultMode: 0440
    items:
      - { key: app-key, path: app-key }
      {{- if not .root.Values.embedded.enabled }}
      - { key: database-url, path: database-url }
      {{- end }}
      {{- if .migrates }}
      - { key: database-migration-url, path: database-migration-url }
      {{- end }}
      {{- if .root.Values.secretHas.smtpUrl }}
      - { key: smtp-url, path: smtp-url }
      {{- end }}
      {{- if .root.Values.secretHas.s3 }}
      - { key: s3-access-key-id, path: s3-access-key-id }
      - { key: s3-secret-access-key, path: s3-secret-access-key }
      {{- end }}
      {{- range $key := values .root.Values.secretSettings | sortAlpha | uniq }}
      - { key: {{ $key | quote }}, path: {{ $key | quote }} }
      {{- end }}
{{- if .root.Values.embedded.enabled }}
# parallel statements of PostgreSQL
- { name: shm, emptyDir: { medium: Memory, sizeLimit: 256Mi } }
{{- else }}
- { name: data, emptyDir: {} }
{{- end }}
- { name: tmp, emptyDir: {} }
{{- end }}

{{- define "tenure.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
