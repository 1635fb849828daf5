import { useQuery } from '@tanstack/preact-query';
import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { ApiFailure, answered } from '../api/client.ts';
import type { StoredFile, VideoModel } from '../api/types.ts';
import { uploadFile } from '../api/upload.ts';
import { FileThumbnail, hasThumbnail } from '../files/preview.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { SelectField } from '../parts/form.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { useSession } from '../session/session.tsx';
import {
  type Draft,
  type DraftInput,
  type DraftProps,
  type DraftReference,
  type FrameType,
  mostReferences,
  type ReferenceKind,
} from './draft.ts';
import { InputSource } from './input-source.tsx';
import { Thumbnail } from './thumbnail.tsx';
import { useJob } from './use-jobs.ts';

const NAMES: Readonly<Record<FrameType, string>> = { first_frame: 'First frame', last_frame: 'Last frame' };

const CONTINUATIONS = { extend: 'Extend the video', edit: 'Edit the video' } as const;

/** What becomes of the video that the form was opened from. */
export function SourceField({ model, draft, onChange }: DraftProps) {
  const known = model.supported_continuations;
  if (draft.source === undefined || known.length === 0) return null;
  return (
    <SelectField
      label="Continue"
      hint={draft.source}
      value={draft.continuation}
      choices={[['', 'Do not extend or edit'], ...known.map((each) => [each, CONTINUATIONS[each]] as const)]}
      onChange={(continuation) => onChange({ continuation })}
    />
  );
}

/** A file that was pasted on the form, and what it becomes. */
export interface Pasted {
  readonly file: File;
  readonly slot: FrameType | 'reference';
}

interface InputFieldsProps extends DraftProps {
  readonly pasted: Pasted | undefined;
}

/** An image becomes the first frame that is missing, unless it is pasted beside the references; all else is a reference. */
export function slotOf(
  file: Pick<File, 'type'>,
  { supported_frame_images: types }: Pick<VideoModel, 'supported_frame_images'>,
  { frames }: Pick<Draft, 'frames'>,
  isReference: boolean,
): Pasted['slot'] {
  const empty = types.find((type) => frames[type] === undefined);
  return empty === undefined || isReference || !file.type.startsWith('image/') ? 'reference' : empty;
}

export function FrameFields({ model, draft, onChange, pasted }: InputFieldsProps) {
  const types = model.supported_frame_images;
  if (types.length === 0) return null;
  const put = (type: FrameType, input: DraftInput) =>
    onChange(({ frames }) => ({ frames: { ...frames, [type]: input } }));
  const remove = (type: FrameType) =>
    onChange(({ frames: { [type]: _, ...others } }) => ({ frames: others }));
  return (
    <div class="slots">
      {types.map((type) => {
        const frame = draft.frames[type];
        return (
          <div key={type} class="slot">
            {frame === undefined ? (
              <>
                <InputDrop
                  label={NAMES[type]}
                  types={INPUT_TYPES.image}
                  pasted={pasted?.slot === type ? pasted.file : undefined}
                  onInput={(input) => put(type, input)}
                />
                <InputSource of={NAMES[type]} gives="last frame" onInput={(input) => put(type, input)}>
                  Use a URL or video
                </InputSource>
              </>
            ) : (
              <Chosen of={NAMES[type]} input={frame} onRemove={() => remove(type)} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface ChosenProps {
  readonly of: string;
  readonly input: DraftInput;
  readonly onRemove: () => void;
}

/** Also of what only its id names, as in the request of an earlier video. */
function Chosen({ input, ...rest }: ChosenProps) {
  const { url, picture, name } = input;
  if (picture === undefined && url.startsWith('vid_')) return <ChosenVideo {...rest} input={input} />;
  if (name === url && url.startsWith('gw_file_')) return <ChosenFile {...rest} input={input} />;
  return (
    <InputBox {...rest} input={input} picture={picture && <img class="thumbnail" src={picture} alt="" />} />
  );
}

function ChosenVideo(props: ChosenProps) {
  const { data: job } = useJob(props.input.url);
  return <InputBox {...props} picture={job && <Thumbnail job={job} />} />;
}

function ChosenFile({ input, ...rest }: ChosenProps) {
  const { api, scope, workspaceId } = useSession();
  const params = { path: { file: input.url }, query: scope };
  const { data: file } = useQuery({
    queryKey: ['files', workspaceId, input.url],
    queryFn: () => answered(api.GET('/files/{file}', { params })),
  });
  const isKnown = file?._shape === 'native';
  return (
    <InputBox
      {...rest}
      input={isKnown ? { ...input, name: file.filename } : input}
      picture={isKnown && hasThumbnail(file) && <FileThumbnail file={file} />}
    />
  );
}

interface InputBoxProps extends ChosenProps {
  readonly picture: ComponentChildren;
}

const InputBox = ({ of, input: { name }, picture, onRemove }: InputBoxProps) => (
  <div class="input">
    {picture}
    <span class="name" title={name}>
      {of}: <b>{name}</b>
    </span>
    <button type="button" class="plain icon" aria-label={`Remove ${of}: ${name}`} onClick={onRemove}>
      <X />
    </button>
  </div>
);

const KINDS: Readonly<Record<ReferenceKind, string>> = { image: 'Image', audio: 'Audio', video: 'Video' };

/** What an earlier video can be a reference as. */
const GIVEN = { image: { gives: 'last frame' }, video: { gives: 'video' }, audio: {} } as const;

export function ReferenceFields({ model, draft, onChange, pasted }: InputFieldsProps) {
  const all = model.supported_input_references;
  if (all.length === 0) return null;
  const count = (kind: ReferenceKind) => draft.references.filter((each) => each.kind === kind).length;
  const kinds = all.filter((kind) => count(kind) < mostReferences(model, kind));
  const fromFiles = kinds.filter((kind) => INPUT_TYPES[kind].length > 0);
  const add = (added: DraftReference) =>
    onChange(({ references }) => ({ references: [...references, added] }));
  const remove = (removed: DraftReference) =>
    onChange(({ references }) => ({ references: references.filter((each) => each !== removed) }));
  return (
    <div class="stack">
      {draft.references.map((reference) => (
        <Chosen
          key={reference.url}
          of={KINDS[reference.kind]}
          input={reference}
          onRemove={() => remove(reference)}
        />
      ))}
      {fromFiles.length > 0 && (
        <InputDrop
          label={`Reference: ${fromFiles.join(' or ')}`}
          types={fromFiles.flatMap((kind) => INPUT_TYPES[kind])}
          pasted={pasted?.slot === 'reference' ? pasted.file : undefined}
          onInput={(input, { mime_type }) => add({ ...input, kind: kindOf({ mime_type }) })}
        />
      )}
      <div class="actions">
        {kinds.map((kind) => (
          <InputSource
            key={kind}
            of={`${KINDS[kind]} reference`}
            {...GIVEN[kind]}
            onInput={(input) => add({ ...input, kind })}
          >
            {`${KINDS[kind]} URL`}
          </InputSource>
        ))}
      </div>
    </div>
  );
}

const kindOf = ({ mime_type }: Pick<StoredFile, 'mime_type'>): ReferenceKind =>
  mime_type.startsWith('audio/') ? 'audio' : 'image';

interface InputDropProps {
  readonly label: string;
  /** The types that can be used here. */
  readonly types: readonly string[];
  /** A file that was pasted elsewhere on the form, and belongs here. */
  readonly pasted?: File | undefined;
  readonly onInput: (input: DraftInput, file: StoredFile) => void;
}

/** Uploads what is dropped, pasted or chosen, and names it by its id: bodies of submits stay small. */
function InputDrop({ label, types, pasted, onInput }: InputDropProps) {
  const { token, scope, ended } = useSession();
  const [progress, setProgress] = useState(0);
  const upload = useAction(
    async (file: File) => {
      setProgress(0);
      refuseOthers(file, types);
      const stored = await uploadFile(file, {
        token,
        workspaceId: scope.workspace_id,
        onProgress: setProgress,
        signals: [ended],
      });
      return { stored, picture: file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined };
    },
    ['files'],
    ({ stored, picture }) => onInput({ name: stored.filename, url: stored.id, picture }, stored),
  );
  useEffect(() => {
    if (pasted !== undefined) upload.mutate(pasted);
  }, [pasted]);
  return (
    <>
      <DropZone
        label={label}
        accept={types.join()}
        onFiles={([file]) => file !== undefined && upload.mutate(file)}
      >
        <small>{upload.isPending ? 'Uploading' : 'Drop, paste or choose'}</small>
        {upload.isPending && <progress aria-label="Upload" max={1} value={progress} />}
      </DropZone>
      <FailureNote error={upload.error} />
    </>
  );
}

/** The file dialog offers only these types, but anything can be dropped. A type that the browser does not know is left to the API. */
function refuseOthers({ name, type }: File, types: readonly string[]): void {
  if (type === '' || types.includes(type)) return;
  throw new ApiFailure(0, `${name} has the type ${type}. Supported types: ${types.join(', ')}.`);
}

/** The files that the API takes as an input of each kind; clips are addresses or earlier videos. */
const INPUT_TYPES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg'],
  video: [],
};
