import type { ErrorType } from '../functions/http/errors.ts';
import { COMMON_HEADERS, errorBody } from '../functions/http/response.ts';

/** The responses that API Gateway gives without a function: in our error body, with our headers. */
export function gatewayResponses() {
  return {
    DEFAULT_4XX: response(400, 'invalid_request', 'The request is malformed'),
    DEFAULT_5XX: failure(502),
    API_CONFIGURATION_ERROR: failure(500),
    INTEGRATION_FAILURE: failure(504),
    INTEGRATION_TIMEOUT: failure(504),
    MISSING_AUTHENTICATION_TOKEN: response(404, 'not_found', 'No such path; the API lives under /api/v1'),
    ACCESS_DENIED: response(403, 'permission_denied', 'This address is not open to this request'),
    WAF_FILTERED: response(403, 'permission_denied', 'The request was refused by a firewall'),
    REQUEST_TOO_LARGE: response(413, 'payload_too_large', 'The request is too large for this address'),
    THROTTLED: response(429, 'rate_limit_exceeded', 'Too many requests', { 'retry-after': '1' }),
    QUOTA_EXCEEDED: response(429, 'rate_limit_exceeded', 'Too many requests'),
  };
}

/**
 * Keeps API Gateway's own status. If we set the status, API Gateway would count the response as the caller's error
 * (4XXError), and crashing functions would raise no alarm.
 */
function failure(status: number) {
  const { statusCode: _, ...body } = response(status, 'server', 'Something went wrong on our side');
  return body;
}

function response(
  statusCode: number,
  errorType: ErrorType,
  message: string,
  own: Readonly<Record<string, string>> = {},
) {
  const body = errorBody({ status: statusCode, errorType, message });
  const constants = Object.entries({ ...COMMON_HEADERS, ...own }).map(([name, value]) => [
    name,
    `'${value}'`,
  ]);
  const headers = [['x-request-id', 'context.requestId'], ...constants];
  return {
    statusCode,
    responseParameters: Object.fromEntries(
      headers.map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: { 'application/json': JSON.stringify(body) },
  };
}
