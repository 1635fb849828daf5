import * as v from 'valibot';

const RULE = 'is not enforced by this gateway; leave it out';

const SAYS = 'A rule of other gateways, which is not enforced here: leave it out';

const noList = v.exactOptional(
  v.pipe(v.nullable(v.pipe(v.array(v.unknown(), RULE), v.maxLength(0, RULE))), v.description(SAYS)),
);
const only = <const Value extends boolean>(value: Value) =>
  v.exactOptional(v.pipe(v.nullable(v.literal(value, RULE)), v.description(SAYS)));

/**
 * Rules that other gateways' guardrails have and ours do not enforce. A value that forbids nothing is accepted, because
 * clients send back whole objects. Any other is refused, because nobody should rely on a rule that is not enforced.
 */
export const unenforced = {
  allowed_data_regions: noList,
  content_filters: noList,
  content_filter_builtins: noList,
  enable_free_model_publication: only(true),
  enable_free_model_training: only(true),
  enable_paid_model_training: only(true),
  enforce_zdr: only(false),
  enforce_zdr_anthropic: only(false),
  enforce_zdr_google: only(false),
  enforce_zdr_openai: only(false),
  enforce_zdr_other: only(false),
  enforce_zdr_xai: only(false),
};

/** The fields that are stored. */
export function withoutUnenforced<Fields extends Partial<Record<keyof typeof unenforced, unknown>>>(
  fields: Fields,
) {
  const {
    allowed_data_regions: _regions,
    content_filters: _filters,
    content_filter_builtins: _builtins,
    enable_free_model_publication: _publication,
    enable_free_model_training: _freeTraining,
    enable_paid_model_training: _paidTraining,
    enforce_zdr: _zdr,
    enforce_zdr_anthropic: _zdrAnthropic,
    enforce_zdr_google: _zdrGoogle,
    enforce_zdr_openai: _zdrOpenai,
    enforce_zdr_other: _zdrOther,
    enforce_zdr_xai: _zdrXai,
    ...enforced
  } = fields;
  return enforced;
}
