import { always, type PlantedBug } from '../planted-bug.ts';

/** Bugs in workspaces, in their removal and in the secrets that they keep for providers. */
export const WORKSPACE_BUGS: readonly PlantedBug[] = [
  {
    name: 'a workspace is deleted although it got a key meanwhile',
    file: 'functions/workspaces/removal-store.ts',
    from: "'#version = :read AND attribute_not_exists(removed_at)'",
    to: `'${always('#version = :read')} AND attribute_not_exists(removed_at)'`,
    tests: ['test/workspaces/removal-store.test.ts'],
  },
  {
    name: 'the slug of a live workspace is freed',
    file: 'functions/workspaces/removal-store.ts',
    from: "ConditionExpression: 'attribute_exists(removed_at)',\n",
    to: '',
    tests: ['test/workspaces/removal-store.test.ts'],
  },
  {
    name: 'a deleted workspace frees the slug of another',
    file: 'functions/workspaces/workspace-rows.ts',
    from: "ConditionExpression: 'workspace_id = :id',",
    to: `ConditionExpression: '${always('workspace_id = :id')}',`,
    tests: ['test/workspaces/removal-store.test.ts'],
  },
  {
    name: 'a secret is not bound to its workspace',
    file: 'functions/provider-keys/secret-box.ts',
    from: '=> ({ id, workspace_id, provider })',
    to: "=> ({ id, workspace_id: '', provider, ...(workspace_id === '' ? { id } : {}) })",
    tests: ['test/provider-keys/sealed-provider-keys.test.ts'],
  },
  {
    name: 'a changed secret stays in memory',
    file: 'functions/provider-keys/provider-keys.ts',
    from: 'this.#secrets.get(key.ciphertext)',
    to: 'this.#secrets.get(this.#secrets.keys().next().value ?? key.ciphertext)',
    tests: ['test/provider-keys/sealed-provider-keys.test.ts'],
  },
  {
    name: 'two changes of a workspace overwrite each other',
    file: 'functions/workspaces/workspace-store.ts',
    from: "ConditionExpression: '#version = :read',",
    to: `ConditionExpression: '${always('#version = :read')}',`,
    tests: ['test/workspaces/workspace-store.test.ts'],
  },
  {
    name: 'a workspace is created over another',
    file: 'functions/workspaces/workspace-store.ts',
    from: "{ ...row, ConditionExpression: 'attribute_not_exists(pk)' }",
    to: 'row',
    tests: ['test/workspaces/workspace-store.test.ts'],
  },
  {
    name: 'a workspace that was just created is not found',
    file: 'functions/workspaces/workspace-rows.ts',
    from: ', ConsistentRead: true',
    to: '',
    tests: ['test/workspaces/workspace-store.test.ts'],
  },
  {
    name: 'two workspaces have one slug',
    file: 'functions/workspaces/workspace-rows.ts',
    from: "ConditionExpression: 'attribute_not_exists(pk)',",
    to: '',
    tests: ['test/workspaces/slug-race.test.ts'],
  },
  {
    name: 'a deleted workspace is purged at once',
    file: 'functions/workspaces/remove-workspace.ts',
    from: 'Date.parse(removal.removed_at) + REST_MILLISECONDS',
    to: 'Date.parse(removal.removed_at)',
    tests: ['test/workspaces/purge-workspace.test.ts'],
  },
  {
    name: 'a purge forgets what is left at its deadline',
    file: 'functions/workspaces/remove-workspace.ts',
    from: 'if (ports.now() >= deadline) return false;',
    to: 'if (ports.now() >= deadline) break;',
    tests: ['test/workspaces/purge-workspace.test.ts'],
  },
  {
    name: 'the account of a deleted workspace stays open',
    file: 'functions/workspaces/remove-workspace.ts',
    from: 'removals.begin(workspace, at, { account }, ',
    to: 'removals.begin(workspace, at, {}, ',
    tests: ['test/workspaces/remove-workspace.test.ts'],
  },
  {
    name: 'expired keys keep a workspace from being deleted',
    file: 'functions/workspaces/remove-workspace.ts',
    from: 'new Date(key.expires_at) > now()',
    to: 'new Date(key.expires_at) <= now()',
    tests: ['test/workspaces/remove-workspace.test.ts'],
  },
  {
    name: 'keys that expire later do not protect their workspace',
    file: 'functions/workspaces/remove-workspace.ts',
    from: 'key.expires_at === null || new Date(key.expires_at) > now()',
    to: 'key.expires_at === null',
    tests: ['test/workspaces/remove-workspace.test.ts'],
  },
  {
    name: 'a secret is remembered by the id of its key',
    file: 'functions/provider-keys/provider-keys.ts',
    from: `const known = this.#secrets.get(key.ciphertext);
    if (known !== undefined) return known;
    const secret = await unseal(this.#ports.kms, this.#ports.kmsKeyId, key, key.ciphertext);
    this.#secrets.set(key.ciphertext, secret);`,
    to: `const known = this.#secrets.get(key.id);
    if (known !== undefined) return known;
    const secret = await unseal(this.#ports.kms, this.#ports.kmsKeyId, key, key.ciphertext);
    this.#secrets.set(key.id, secret);`,
    tests: ['test/provider-keys/sealed-provider-keys.test.ts'],
  },
  {
    name: 'a secret is opened for each use',
    file: 'functions/provider-keys/provider-keys.ts',
    from: 'this.#secrets.set(key.ciphertext, secret);',
    to: 'this.#secrets.set(key.id, secret);',
    tests: ['test/provider-keys/sealed-provider-keys.test.ts'],
  },
];
