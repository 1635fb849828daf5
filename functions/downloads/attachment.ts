import { extendedEncodeURIComponent } from '@smithy/core/protocols';

/** The start of the header; a name follows, as `encodedName` gives it. */
export const ATTACHMENT = "attachment; filename*=UTF-8''";

/** A name in the form of RFC 8187. Parentheses too, which that does not allow and some clients therefore do not read. */
export const encodedName = (filename: string): string => extendedEncodeURIComponent(filename);

/** The `content-disposition` of what is to be saved under a name. */
export const attachment = (filename: string): string => `${ATTACHMENT}${encodedName(filename)}`;
