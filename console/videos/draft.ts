import { present } from '../api/client.ts';
import type { Job, VideoModel, VideoRequest } from '../api/types.ts';

export type FrameType = 'first_frame' | 'last_frame';
export type ReferenceKind = 'image' | 'audio' | 'video';

/** An input as the form holds it: an uploaded file, or an address. */
export interface DraftInput {
  readonly name: string;
  readonly url: string;
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
  callbackUrl: '',
  options: '',
  keepsPrompt: true,
};

/** The lengths that the model has at this resolution. */
export function durationsOf(model: VideoModel, resolution: string): readonly number[] {
  return model.supported_durations_by_resolution?.[resolution] ?? model.supported_durations;
}

/** Keeps of a draft what this model can do. */
export function fitted(draft: Draft, model: VideoModel): Draft {
  const among = (value: string, choices: readonly (string | number)[]) =>
    choices.map(String).includes(value) ? value : '';
  const resolution = among(draft.resolution, model.supported_resolutions);
  return {
    ...draft,
    resolution,
    duration: among(draft.duration, durationsOf(model, resolution)),
    aspectRatio: among(draft.aspectRatio, model.supported_aspect_ratios),
    seed: model.seed ? draft.seed : '',
    audio: model.generate_audio ? draft.audio : '',
    frames: present({
      first_frame: model.supported_frame_images.includes('first_frame')
        ? draft.frames.first_frame
        : undefined,
      last_frame: model.supported_frame_images.includes('last_frame') ? draft.frames.last_frame : undefined,
    }),
    references: draft.references.filter(({ kind }) => model.supported_input_references.includes(kind)),
  };
}

export function changed(draft: Draft, change: DraftChange, model: VideoModel): Draft {
  return fitted({ ...draft, ...(typeof change === 'function' ? change(draft) : change) }, model);
}

/** The body of `POST /videos`. @throws SyntaxError where the options are not JSON */
export function requestOf(draft: Draft, model: VideoModel): VideoRequest {
  const { resolution, aspectRatio, duration, seed, audio, callbackUrl } = draft;
  const frames = frameImages(draft.frames);
  const references = draft.references.map(inputReference);
  return {
    model: model.id,
    prompt: draft.prompt,
    ...present({
      resolution: model.supported_resolutions.find((each) => each === resolution),
      aspect_ratio: model.supported_aspect_ratios.find((each) => each === aspectRatio),
      duration: duration === '' ? undefined : Number(duration),
      seed: seed === '' ? undefined : Number(seed),
      generate_audio: audio === '' ? undefined : audio === 'true',
      frame_images: frames.length === 0 ? undefined : frames,
      input_references: references.length === 0 ? undefined : references,
      callback_url: callbackUrl.trim() === '' ? undefined : callbackUrl.trim(),
      provider: draft.options.trim() === '' ? undefined : { options: JSON.parse(draft.options) },
      metadata: draft.keepsPrompt ? promptNote(draft.prompt) : undefined,
    }),
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

/** The API gives no prompt back. A job that is asked for with this note carries it along. */
const promptNote = (prompt: string): Record<string, string> => ({
  [NOTE]: [...prompt].slice(0, LONGEST).join(''),
});

export const promptOf = ({ metadata }: Pick<Job, 'metadata'>): string | undefined => metadata?.[NOTE];
