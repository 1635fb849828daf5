import { always, type PlantedBug } from '../planted-bug.ts';

const ANSWER_ONCE = 'functions/gate/idempotency/answer-once.ts';
const REPLAYS = 'functions/gate/idempotency/replay-store.ts';
const AUTHENTICATION = 'functions/gate/authentication.ts';
const REMEMBERED_KEYS = 'functions/gate/remembered-keys.ts';
const ADDRESSES = 'functions/egress/public-address.ts';
const BUCKETS = 'functions/gate/rate-limit/bucket-store.ts';
const FILES = 'functions/files/file-store.ts';

/** Bugs in the gate, in the separation of workspaces, and in the egress. */
export const GATE_BUGS: readonly PlantedBug[] = [
  {
    name: 'a stored answer is not replayed',
    file: ANSWER_ONCE,
    from: 'if (first !== undefined) return replay(first, fingerprint);',
    to: '',
    tests: ['test/gate/idempotency/replay-store.test.ts'],
  },
  {
    name: 'two equal requests at once are both carried out',
    file: REPLAYS,
    from: "'attribute_not_exists(id) OR #until <= :now'",
    to: `'attribute_not_exists(id) OR ${always('#until <= :now')}'`,
  },
  {
    name: 'a replay is given for another body',
    file: ANSWER_ONCE,
    from: 'if (remembered.fingerprint !== fingerprint) {',
    to: "if (remembered.fingerprint === '') {",
    tests: ['test/gate/idempotency/replay-store.test.ts'],
  },
  {
    name: 'a replay is given to another workspace',
    file: ANSWER_ONCE,
    from: '[workspaceId, call.method,',
    to: '[call.method,',
    tests: ['test/gate/idempotency/answer-once.test.ts'],
  },
  {
    name: 'anybody may see any job',
    file: 'functions/videos/jobs/find-job.ts',
    from: '(job !== undefined && job.workspace_id === principal.workspaceId)',
    to: 'true',
  },
  {
    name: 'a key acts in any workspace that it names',
    file: 'functions/workspaces/find-workspace.ts',
    from: "if (isId(named) && kind === 'normal') throw refusal();\n  const found = await lookUp(workspaces, named);\n  if (found !== undefined && (kind === 'management' || found.id === workspaceId)) return found.id;",
    to: 'const found = await lookUp(workspaces, named);\n  if (found !== undefined) return found.id;',
    tests: ['test/workspaces/acting-workspace.test.ts'],
  },
  {
    name: 'a disabled key works',
    file: REMEMBERED_KEYS,
    from: '!key.disabled && (key',
    to: '(key',
    tests: ['test/gate/authentication.test.ts'],
  },
  {
    name: 'an expired key works',
    file: REMEMBERED_KEYS,
    from: 'new Date(key.expires_at) > now)',
    to: 'now > new Date(0))',
    tests: ['test/gate/authentication.test.ts'],
  },
  {
    name: 'every key manages',
    file: AUTHENTICATION,
    from: "access === 'management' && key.kind !== 'management'",
    to: "access === 'management' && key.kind === undefined",
    tests: ['test/gate/authentication.test.ts'],
  },
  {
    name: 'a revoked management key lives on in memory',
    file: AUTHENTICATION,
    from: "access === 'management' ? await keys.find(hash) :",
    to: 'access === undefined ? await keys.find(hash) :',
    tests: ['test/gate/authentication.test.ts'],
  },
  {
    name: 'a mistyped key is looked up',
    file: 'functions/keys/key-format.ts',
    from: 'match !== null && checksum(text.slice(0, -CHECKSUM_LENGTH)) === match[3]',
    to: 'match !== null',
    tests: ['test/keys/key-format.test.ts'],
  },
  {
    name: 'a key may disable or delete itself',
    file: 'functions/keys/change-key.ts',
    from: "if (principal.keyHash === hash) throw invalidField('hash', RULE);",
    to: '',
    tests: ['test/keys/change-key.test.ts'],
  },
  {
    name: 'anybody may bypass the edge',
    file: 'functions/gate/entrance.ts',
    from: 'if (!edgeSecretsSha256.some(',
    to: 'if (edgeSecretsSha256.length > 2 && !edgeSecretsSha256.some(',
    tests: ['test/gate/entrance.test.ts'],
  },
  {
    name: 'a bucket gives more tokens than it has',
    file: BUCKETS,
    from: "'full_at > :now AND full_at <= :latest'",
    to: `'full_at > :now AND ${always('full_at <= :latest')}'`,
    tests: ['test/gate/rate-limit/bucket-store.thorough.test.ts'],
  },
  {
    name: 'a submit that cannot be counted is accepted',
    file: 'functions/gate/rate-limit/rate-limiter.ts',
    from: 'submit: false,',
    to: 'submit: true,',
    tests: ['test/gate/rate-limit/rate-limiter.test.ts'],
  },
  {
    name: 'internal addresses count as public',
    file: ADDRESSES,
    from: "  ['10.0.0.0', 8],\n",
    to: '',
    tests: ['test/egress/public-address.thorough.test.ts', 'test/egress/egress-fetch.test.ts'],
  },
  {
    name: 'one public answer of a name is enough',
    file: 'functions/egress/guarded-connector.ts',
    from: '!addresses.every(',
    to: '!addresses.some(',
    tests: ['test/egress/egress-fetch.test.ts'],
  },
  {
    name: 'redirects are followed',
    file: 'functions/egress/egress-fetch.ts',
    from: "redirect: 'manual'",
    to: "redirect: 'follow'",
    tests: ['test/egress/egress-fetch.test.ts'],
  },
  {
    name: 'addresses may be given as numbers',
    file: 'functions/egress/url-policy.ts',
    from: "if (isIP(hostname.replace(/^\\[|\\]$/g, '')) !== 0) {",
    to: "if (hostname === '') {",
    tests: ['test/egress/url-policy.test.ts'],
  },
  {
    name: 'a full workspace takes files',
    file: FILES,
    from: "'attribute_not_exists(#bytes) OR #bytes <= :room'",
    to: `'attribute_not_exists(#bytes) OR ${always('#bytes <= :room')}'`,
    tests: ['test/files/file-store.thorough.test.ts'],
  },
  {
    name: 'a file that is deleted twice gives back its bytes twice',
    file: FILES,
    from: "Key: { workspace_id, id }, ConditionExpression: 'attribute_exists(id)' };",
    to: 'Key: { workspace_id, id } };',
    tests: ['test/files/file-store.thorough.test.ts'],
  },
  {
    name: 'an expired file is found',
    file: FILES,
    from: 'return file !== undefined && isExpired(file, this.#now()) ? undefined : file;',
    to: 'return file;',
    tests: ['test/files/file-store.thorough.test.ts'],
  },
  {
    name: 'an answer that was just stored is not found',
    file: REPLAYS,
    from: ', ConsistentRead: true',
    to: '',
    tests: ['test/gate/idempotency/replay-store.test.ts'],
  },
];
