import { words } from '../parts/format.ts';
import { Section } from '../parts/section.tsx';
import type { DraftInput, FrameType } from './draft.ts';
import { InputDrop } from './input-drop.tsx';
import { INPUT_TYPES } from './input-types.ts';
import type { DraftProps } from './submit-form.tsx';

const NAMES: Readonly<Record<FrameType, string>> = { first_frame: 'First frame', last_frame: 'Last frame' };

export function FrameFields({ model, draft, onChange }: DraftProps) {
  if (model.supported_frame_images.length === 0) return null;
  const put = (type: FrameType, input: DraftInput) =>
    onChange(({ frames }) => ({ frames: { ...frames, [type]: input } }));
  const takeAway = (type: FrameType) =>
    onChange(({ frames: { [type]: _, ...others } }) => ({ frames: others }));
  return (
    <Section title="Frames">
      <div class="columns">
        {model.supported_frame_images.map((type) => {
          const frame = draft.frames[type];
          if (frame === undefined) {
            return (
              <InputDrop
                key={type}
                label={`${NAMES[type]}: drop an image or choose one`}
                types={INPUT_TYPES.image}
                onInput={(input) => put(type, input)}
              />
            );
          }
          return (
            <p key={type} class="chosen">
              {NAMES[type]}: <b>{frame.name}</b>
              <button
                type="button"
                aria-label={`Take away the ${words(type)}`}
                onClick={() => takeAway(type)}
              >
                ✕
              </button>
            </p>
          );
        })}
      </div>
    </Section>
  );
}
