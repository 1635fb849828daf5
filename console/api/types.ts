import type { components, paths } from '../../docs/clients/genway.d.ts';

type Schemas = components['schemas'];
type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type { components, paths } from '../../docs/clients/genway.d.ts';
export type Job = Answer<'/videos/{video}'>;
export type JobStatus = Job['status'];
export type JobEvent = Answer<'/videos/{video}/events'>['data'][number];
export type VideoRequest = Schemas['VideoRequest'];
export type StoredFile = Schemas['StoredFile'];
export type Delivery = Schemas['Delivery'];
export type Workspace = Schemas['Workspace'];
export type Budget = Schemas['Budget'];
export type Webhook = Schemas['Webhook'];
export type Key = Schemas['Key'];
export type CurrentKey = Omit<Schemas['CurrentKey'], 'organization_id'>;
export type Credits = Answer<'/credits'>['data'];
export type ProviderKey = Schemas['ProviderKey'];
export type ActivityRow = Answer<'/activity'>['data'][number];

type Content = Answer<'/generation/content'>['data'];
/** Without what is always null, which the client's types leave out. */
export type GenerationContent = Omit<Content, 'output' | 'error'> & {
  readonly output: Pick<Content['output'], 'media'>;
  readonly error: Pick<NonNullable<Content['error']>, 'message'> | null;
};
export type VideoModel = Omit<Schemas['VideoModel'], 'creativity' | 'upscale_factor'>;
export type Guardrail = Answer<'/guardrails'>['data'][number];
export type AuditEvent = Answer<'/audit'>['data'][number];
export type Approval = Answer<'/approvals'>['data'][number];
export type Offer = Answer<'/endpoints'>['data'][number];
export type Destination = Schemas['Destination'];
