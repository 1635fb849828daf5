import { present } from '../api/client.ts';
import type { Job, VideoModel, VideoRequest } from '../api/types.ts';

export type FrameType = 'first_frame' | 'last_frame';
export type ReferenceKind = 'image' | 'audio' | 'video';
export type Continuation = VideoModel['supported_continuations'][number];

/** An input as the form holds it: an uploaded file, or an address. */
export interface DraftInput {
  readonly name: string;
  readonly url: string;
  /** The address of a picture of it. */
  readonly picture?: string | undefined;
}
export interface DraftReference extends DraftInput {
  readonly kind: ReferenceKind;
}

/** What the form holds. An empty string is the model's own choice. */
export interface Draft {
  readonly prompt: string;
  readonly duration: string;
  readonly resolution: string;
  readonly aspectRatio: string;
  readonly seed: string;
  readonly audio: '' | 'true' | 'false';
  readonly frames: Readonly<Partial<Record<FrameType, DraftInput>>>;
  readonly references: readonly DraftReference[];
  /** The completed video that the form was opened from. */
  readonly source?: string;
  /** What becomes of the source; without it, its last frame is the first of the new video. */
  readonly continuation: '' | Continuation;
  readonly callbackUrl: string;
  /** `provider.options` as JSON: a block for each provider that may serve the model. */
  readonly options: string;
  readonly keepsPrompt: boolean;
}

/** New values of some fields; made of what the form holds by then, where something else may have been added meanwhile. */
export type DraftChange = Partial<Draft> | ((now: Draft) => Partial<Draft>);

/** What every part of the form gets. */
export interface DraftProps {
  readonly model: VideoModel;
  readonly draft: Draft;
  readonly onChange: (change: DraftChange) => void;
}

export const EMPTY_DRAFT: Draft = {
  prompt: '',
  duration: '',
  resolution: '',
  aspectRatio: '',
  seed: '',
  audio: '',
  frames: {},
  references: [],
  continuation: '',
  callbackUrl: '',
  options: '',
  keepsPrompt: true,
};

/** A video that begins where another ends. */
export const draftFrom = (video: string): Draft => ({
  ...EMPTY_DRAFT,
  frames: { first_frame: { name: `Last frame of ${video}`, url: video } },
  source: video,
});

/** The form as it was for a request; without one, what a job still says of its own, and what its note says. */
export function draftAgain(request: VideoRequest | undefined, job: Job | undefined): Draft {
  if (request === undefined) return job === undefined ? EMPTY_DRAFT : draftOf(job);
  const { provider, previous_job_id: source, continuation } = request;
  return {
    prompt: request.prompt,
    duration: String(request.duration ?? ''),
    resolution: request.resolution ?? '',
    aspectRatio: request.aspect_ratio ?? '',
    seed: String(request.seed ?? ''),
    audio: request.generate_audio === undefined ? '' : request.generate_audio ? 'true' : 'false',
    frames: framesOf(request),
    references: referencesOf(request),
    ...present({ source }),
    continuation: continuation ?? '',
    callbackUrl: request.callback_url ?? '',
    options: provider?.options === undefined ? '' : JSON.stringify(provider.options),
    keepsPrompt: request.metadata?.[NOTE] !== undefined,
  };
}

function framesOf({ frame_images: frames = [] }: VideoRequest): Draft['frames'] {
  return Object.fromEntries(
    frames.map(({ frame_type, image_url: { url } }) => [frame_type, { name: url, url }] as const),
  );
}

function referencesOf({ input_references: references = [] }: VideoRequest): readonly DraftReference[] {
  return references.map((reference): DraftReference => {
    if (reference.type === 'audio_url') return referenceTo('audio', reference.audio_url.url);
    if (reference.type === 'video_url') return referenceTo('video', reference.video_url.url);
    return referenceTo('image', reference.image_url.url);
  });
}

const referenceTo = (kind: ReferenceKind, url: string): DraftReference => ({ kind, url, name: url });

type Endpoint = VideoModel['endpoints'][number];
type Inputs = Pick<Draft, 'frames' | 'references' | 'continuation'>;
type Narrowing = NonNullable<Endpoint['with_inputs']>[string];

/** What the model can still do beside the inputs of a draft. */
export interface Choices {
  readonly resolutions: VideoModel['supported_resolutions'];
  readonly durations: readonly number[];
  /** None where the video has the shape of an input. */
  readonly aspectRatios: VideoModel['supported_aspect_ratios'];
  readonly audio: readonly boolean[];
}

export function choicesOf(model: VideoModel, draft: Inputs & Pick<Draft, 'resolution'>): Choices {
  const given = inputKinds(draft);
  const { continuation } = draft;
  const able = model.endpoints.filter(
    ({ continuations }) => continuation === '' || continuations?.[continuation] !== undefined,
  );
  const narrowings = able.map(({ with_inputs }) => given.flatMap((kind) => with_inputs?.[kind] ?? []));
  const left = <Value>(values: readonly Value[], of: (each: Narrowing) => readonly unknown[] | undefined) =>
    values.filter(
      (value) =>
        narrowings.length === 0 ||
        narrowings.some((all) => all.every((each) => of(each)?.includes(value) ?? true)),
    );
  const lengths = model.supported_durations_by_resolution?.[draft.resolution] ?? model.supported_durations;
  return {
    resolutions: left(model.supported_resolutions, ({ resolutions }) => resolutions),
    durations: left(lengths, ({ durations }) => durations),
    aspectRatios: left(model.supported_aspect_ratios, ({ aspect_ratios }) => aspect_ratios),
    audio: model.generate_audio
      ? left([true, false], ({ generate_audio: only }) => (only === undefined ? undefined : [only]))
      : [],
  };
}

/** A source takes the place of all others, and frames win over references. */
function inputKinds({ frames, references, continuation }: Inputs): readonly string[] {
  if (continuation !== '') return [continuation];
  const framed = Object.keys(frames);
  return framed.length > 0 ? framed : [...new Set(references.map(({ kind }) => kind))];
}

/** How many references of a kind one of the model's endpoints takes. */
export function mostReferences({ endpoints }: VideoModel, kind: ReferenceKind): number {
  const limits = endpoints
    .filter(({ supported_input_references: kinds }) => kinds.includes(kind))
    .map(({ reference_limits: limits }) => limits?.[kind]?.most ?? MOST_REFERENCES);
  return limits.length === 0 ? MOST_REFERENCES : Math.max(...limits);
}

/** That a request may name. */
const MOST_REFERENCES = 16;

/** Keeps of a draft what this model can do. */
export function fitted(draft: Draft, model: VideoModel): Draft {
  const among = (value: string, choices: readonly unknown[]) =>
    choices.map(String).includes(value) ? value : '';
  const inputs = inputsFor(draft, model);
  const { resolutions } = choicesOf(model, { ...draft, ...inputs });
  const resolution = among(draft.resolution, resolutions);
  const { durations, aspectRatios, audio } = choicesOf(model, { ...inputs, resolution });
  const sound = draft.audio === '' || audio.includes(draft.audio === 'true') ? draft.audio : '';
  return {
    ...draft,
    ...inputs,
    resolution,
    duration: among(draft.duration, durations),
    aspectRatio: among(draft.aspectRatio, aspectRatios),
    seed: model.seed ? draft.seed : '',
    audio: sound,
  };
}

function inputsFor({ frames, references, source, continuation }: Draft, model: VideoModel): Inputs {
  const continuations = source === undefined ? [] : model.supported_continuations;
  const frame = (type: FrameType) => (model.supported_frame_images.includes(type) ? frames[type] : undefined);
  const counts = new Map<ReferenceKind, number>();
  return {
    frames: present({ first_frame: frame('first_frame'), last_frame: frame('last_frame') }),
    references: references.filter(({ kind }) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return model.supported_input_references.includes(kind) && count <= mostReferences(model, kind);
    }),
    continuation: continuations.find((each) => each === continuation) ?? '',
  };
}

export function changed(draft: Draft, change: DraftChange, model: VideoModel): Draft {
  return fitted({ ...draft, ...(typeof change === 'function' ? change(draft) : change) }, model);
}

/** The body of `POST /videos`. @throws SyntaxError where the options are not JSON */
export function requestOf(draft: Draft, model: VideoModel): VideoRequest {
  const { resolution, aspectRatio, duration, seed, audio, callbackUrl } = draft;
  return {
    model: model.id,
    prompt: draft.prompt,
    ...present({
      resolution: model.supported_resolutions.find((each) => each === resolution),
      aspect_ratio: model.supported_aspect_ratios.find((each) => each === aspectRatio),
      duration: duration === '' ? undefined : Number(duration),
      seed: seed === '' ? undefined : Number(seed),
      generate_audio: audio === '' ? undefined : audio === 'true',
      ...inputsOf(draft),
      callback_url: callbackUrl.trim() === '' ? undefined : callbackUrl.trim(),
      provider: draft.options.trim() === '' ? undefined : { options: JSON.parse(draft.options) },
      metadata: draft.keepsPrompt ? notesOf(draft) : undefined,
    }),
  };
}

function inputsOf({ source, continuation, ...given }: Draft) {
  if (continuation !== '') return { previous_job_id: source, continuation };
  const frames = frameImages(given.frames);
  const references = given.references.map(inputReference);
  return {
    frame_images: frames.length === 0 ? undefined : frames,
    input_references: references.length === 0 ? undefined : references,
  };
}

function frameImages(frames: Draft['frames']): NonNullable<VideoRequest['frame_images']> {
  const types: readonly FrameType[] = ['first_frame', 'last_frame'];
  return types.flatMap((frame_type) => {
    const url = frames[frame_type]?.url;
    return url === undefined ? [] : [{ type: 'image_url' as const, image_url: { url }, frame_type }];
  });
}

function inputReference({
  kind,
  url,
}: DraftReference): NonNullable<VideoRequest['input_references']>[number] {
  if (kind === 'audio') return { type: 'audio_url', audio_url: { url } };
  if (kind === 'video') return { type: 'video_url', video_url: { url } };
  return { type: 'image_url', image_url: { url } };
}

const NOTE = 'prompt';
/** What the API takes as a note's value. */
const LONGEST = 512;

/** The API gives no request back. A job that is asked for with these notes carries its prompt and its settings along. */
function notesOf(draft: Draft): Record<string, string> {
  const prompt = [...draft.prompt].slice(0, LONGEST).join('');
  const settings = settingsNote(draft);
  const isKept = settings !== '' && settings.length <= LONGEST;
  return { [NOTE]: prompt, ...(isKept && { [SETTINGS]: settings }) };
}

const SETTINGS = 'settings';
const TEXTS = ['duration', 'resolution', 'aspectRatio', 'seed', 'audio', 'source', 'continuation'] as const;
/** Addresses of others may hold secrets, and would not be there for long. */
const ID = /^(gw_file|vid)_\w{1,64}$/;

/** As the query of an address: all that is read from it, whoever wrote it, is text. */
function settingsNote(draft: Draft): string {
  const note = new URLSearchParams();
  for (const name of TEXTS) note.append(name, draft[name] ?? '');
  for (const [type, frame] of Object.entries(draft.frames)) note.append(type, frame?.url ?? '');
  for (const { kind, url } of draft.references) note.append(kind, url);
  const isKept = (name: string, value: string) =>
    TEXTS.some((each) => each === name) ? value !== '' : ID.test(value);
  return new URLSearchParams([...note].filter(([name, value]) => isKept(name, value))).toString();
}

function draftOf(job: Job): Draft {
  const note = new URLSearchParams(job.metadata?.[SETTINGS]);
  const text = (name: (typeof TEXTS)[number]) => note.get(name) ?? '';
  const ids = (name: string) => note.getAll(name).filter((id) => ID.test(id));
  const frame = (type: FrameType) => ids(type).map((url) => ({ name: url, url }))[0];
  const references = (kind: ReferenceKind) => ids(kind).map((url) => referenceTo(kind, url));
  const length = job.outputs?.[0]?.duration;
  const [audio, continuation] = [text('audio'), text('continuation')];
  return {
    ...EMPTY_DRAFT,
    prompt: promptOf(job) ?? '',
    duration: text('duration') || (length === undefined ? '' : String(Math.round(length))),
    resolution: text('resolution'),
    aspectRatio: text('aspectRatio'),
    seed: text('seed'),
    audio: audio === 'true' || audio === 'false' ? audio : '',
    frames: present({ first_frame: frame('first_frame'), last_frame: frame('last_frame') }),
    references: [...references('image'), ...references('audio'), ...references('video')],
    ...present({ source: ids('source')[0] }),
    continuation: continuation === 'extend' || continuation === 'edit' ? continuation : '',
  };
}

export const promptOf = ({ metadata }: Pick<Job, 'metadata'>): string | undefined => metadata?.[NOTE];
