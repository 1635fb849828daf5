import { InvalidRequest } from '../../../http/errors.ts';
import { parseHeaderValue } from './header-value.ts';

/** RFC 2046 §5.1.1: up to 70 of these, the last one no space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

/**
 * The boundary that a request's content type names.
 * @throws InvalidRequest
 */
export function readBoundary(contentType: string | undefined): string {
  const type = contentType === undefined ? undefined : parseHeaderValue(contentType);
  if (contentType === undefined || !/^\s*multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new InvalidRequest('The body must be multipart/form-data with one part named file');
  }
  const boundary = type?.parameters.get('boundary');
  if (boundary === undefined || !BOUNDARY.test(boundary)) {
    throw new InvalidRequest(
      'The content-type must name the boundary of the multipart body: 1 to 70 of the characters that RFC 2046 allows',
    );
  }
  return boundary;
}
