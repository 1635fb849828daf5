/**
 * The environment variables by which a deployment configures its programs. `lib/` writes them by these names, and
 * `functions/` reads them.
 */
export const variables = {
  accountsTable: 'ACCOUNTS_TABLE',
  broadcastTable: 'BROADCAST_TABLE',
  approvalsTable: 'APPROVALS_TABLE',
  auditTable: 'AUDIT_TABLE',
  bucketsTable: 'BUCKETS_TABLE',
  eventsTable: 'EVENTS_TABLE',
  endpointsTable: 'ENDPOINTS_TABLE',
  figuresTable: 'FIGURES_TABLE',
  filesTable: 'FILES_TABLE',
  generationLogsTable: 'GENERATION_LOGS_TABLE',
  guardrailsTable: 'GUARDRAILS_TABLE',
  hostsTable: 'HOSTS_TABLE',
  jobsTable: 'JOBS_TABLE',
  keysTable: 'KEYS_TABLE',
  listsTable: 'LISTS_TABLE',
  providerKeysTable: 'PROVIDER_KEYS_TABLE',
  replaysTable: 'REPLAYS_TABLE',
  sessionsTable: 'SESSIONS_TABLE',
  sharesTable: 'SHARES_TABLE',
  webhookSettingsTable: 'WEBHOOK_SETTINGS_TABLE',
  workspacesTable: 'WORKSPACES_TABLE',

  /** Where the days of the audit trail are copied to. */
  auditBucket: 'AUDIT_BUCKET',
  consoleBucket: 'CONSOLE_BUCKET',
  filesBucket: 'FILES_BUCKET',
  resultsBucket: 'RESULTS_BUCKET',
  copiesQueueUrl: 'COPIES_QUEUE_URL',
  eventsQueueUrl: 'EVENTS_QUEUE_URL',
  jobsQueueUrl: 'JOBS_QUEUE_URL',
  submitsQueueUrl: 'SUBMITS_QUEUE_URL',
  /** The KMS key that encrypts the workspaces' provider keys. */
  providerKeysKmsKey: 'PROVIDER_KEYS_KMS_KEY',
  /** The KMS key that encrypts what is logged of generations. */
  generationLogsKmsKey: 'GENERATION_LOGS_KMS_KEY',
  /** The function that opens a workspace's key for a file provider. */
  openProviderKeyFunction: 'OPEN_PROVIDER_KEY_FUNCTION',
  /** The KMS key that the webhooks' secrets are derived from. */
  signingKeyId: 'SIGNING_KEY_ID',
  /** What is published at /.well-known/webhooks/jwks.json, as JSON. */
  webhookKeys: 'WEBHOOK_KEYS',

  /** Whether catalogue rows and management keys need the approval of a second key: `on`, or `off`. */
  approvals: 'APPROVALS',
  /** How people sign in with OpenID Connect, as JSON. */
  oidc: 'OIDC',
  /** The names of the providers whose keys a workspace may store, with commas between. */
  providers: 'PROVIDERS',
  providerBaseUrls: 'PROVIDER_BASE_URLS',
  videoProviders: 'VIDEO_PROVIDERS',
  /** Whether providers are asked to call back: `on`, `off` (also if unset), or at which other origin they reach the stage. */
  providerCallbacks: 'PROVIDER_CALLBACKS',
  endpointCacheSeconds: 'ENDPOINT_CACHE_SECONDS',
  /** The discount for workspaces that agree to be logged. */
  dataDiscount: 'DATA_DISCOUNT',
  /** Hosts that may be called although their addresses are private; empty on every stage but a local one. */
  privateHosts: 'PRIVATE_HOSTS',
  /** How many deliverers of webhooks may run at once, how many submitters, and how many copiers. */
  deliverers: 'DELIVERERS',
  submitters: 'SUBMITTERS',
  copiers: 'COPIERS',
  /** The rate of a key that has none of its own, in the class of the function's route. */
  requestsPerMinute: 'REQUESTS_PER_MINUTE',
  /** Whether unknown names are refused (`on`, or `off`), and the query parameters that the operation knows, with commas between. */
  strict: 'STRICT',
  queryParameters: 'QUERY_PARAMETERS',
  resultDays: 'RESULT_DAYS',
  generationLogDays: 'GENERATION_LOG_DAYS',
  storageQuotaBytes: 'STORAGE_QUOTA_BYTES',
  wireNames: 'WIRE_NAMES',
  /** Of the metrics that programs write into their logs; where it is unset they write none. */
  metricsNamespace: 'METRICS_NAMESPACE',

  /**
   * Where the canary calls the stage, where its webhooks go (empty: it makes no videos), whether it uploads large files
   * (`on` or `off`), and the secret with its key.
   */
  canaryTarget: 'CANARY_TARGET',
  canaryReceiver: 'CANARY_RECEIVER',
  canaryLargeUploads: 'CANARY_LARGE_UPLOADS',
  canaryKeySecret: 'CANARY_KEY_SECRET',

  /** The origin that callers use, `https://api.example.com`, where it is known before the deployment. */
  publicUrl: 'PUBLIC_URL',
  /** The SHA-256, in lower-case hex, of what the edge may send as `x-genway-edge`, with commas between; unset where there is no edge. */
  edgeSecretSha256: 'EDGE_SECRET_SHA256',
  /** Read by no program: it gives functions that are deployed gradually a new version with the new digests. */
  edgeSecretGeneration: 'EDGE_SECRET_GENERATION',

  /** Where links to downloads lead, such as `https://d111111abcdef8.cloudfront.net`; unset where they lead to S3. */
  downloadsUrl: 'DOWNLOADS_URL',
  /** The edge's id of the public key that it checks those links with. */
  downloadsKeyPair: 'DOWNLOADS_KEY_PAIR',
  /** The KMS key that the private one is derived from, and of which generation it is. */
  downloadsKeyId: 'DOWNLOADS_KEY_ID',
  downloadsKeyGeneration: 'DOWNLOADS_KEY_GENERATION',

  /** Where the upload server listens. */
  host: 'HOST',
  port: 'PORT',
  /** Host names that requests may use, with commas between; unset where a load balancer stands in front. */
  hosts: 'HOSTS',
  /** Set by the Lambda runtime, and by us for the upload server; the AWS SDK reads it. */
  awsRegion: 'AWS_REGION',
  awsEndpointUrl: 'AWS_ENDPOINT_URL',
  /** By what factor AWS may be slower than in a region; set where an emulator takes its place. */
  awsPatience: 'AWS_PATIENCE',
} as const;
