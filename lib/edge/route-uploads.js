/*
 * A CloudFront Function (runtime 2.0): it sees the head of every request, never the body, before CloudFront forwards
 * it. `program.ts` puts two lines before this text, which define `cf` and `SETTINGS`.
 */

/** As `lib/console/` names them: a digest of the content in each name but the icon's. */
const CONSOLE_FILE = /^\/console\/([a-z-]+-[A-Z0-9]{8}\.(js|css)|icon\.svg)$/;

/** What somebody tries who has only the name of the host, or only the address that clients get. */
const ENTRANCE = /^\/(api\/?(v1\/?)?)?$/;

/** Whose bodies may be too large for a function. */
const UPLOADS = /^\/api\/v1\/(files|uploads\/[^/]+\/parts)$/;

const NOT_NORMALIZED = /%|\/\/|\/\.\.?(\/|$)/;

function handler(event) {
  const request = event.request;
  if (ENTRANCE.test(request.uri) && (request.method === 'GET' || request.method === 'HEAD')) {
    return entrance(request.headers.accept);
  }
  const host = request.headers.host;
  // The origins get their own host names, so this header keeps the caller's. It replaces a caller's own value.
  request.headers['x-genway-public-url'] = { value: `https://${host ? host.value : ''}` };
  request.headers['x-genway-viewer-address'] = { value: event.viewer.ip };
  // API Gateway does not pass it on to functions.
  const md5 = request.headers['content-md5'];
  if (md5) request.headers['x-genway-content-md5'] = { value: md5.value };
  if (SETTINGS.securityContact && request.uri === '/.well-known/security.txt') return securityText();
  // Well-known addresses are at the root of a host (RFC 8615); the API is below.
  if (request.uri.startsWith('/.well-known/webhooks/')) request.uri = `/api/v1${request.uri}`;
  // The console is one page, which whatever is none of its files gets: S3 would answer in XML.
  if (request.uri.startsWith('/console/') && !CONSOLE_FILE.test(request.uri)) request.uri = '/console';
  if (!UPLOADS.test(request.uri)) {
    // CloudFront chooses by the normalized path, so `/api/v1/%66iles` would go to the server, which has no such path.
    if (SETTINGS.uploadOrigin && NOT_NORMALIZED.test(request.uri)) {
      cf.selectRequestOriginById(SETTINGS.apiOrigin);
    }
    return request;
  }

  // NaN if the length is missing; NaN is neither more nor less than any limit.
  const length = request.method === 'POST' ? declaredLength(request.headers['content-length']) : 0;
  // Only an early check that saves a long wait: the origins count the real bytes.
  if (length > SETTINGS.largestBody) return tooLarge(event.context.requestId, request.uri);
  if (SETTINGS.uploadOrigin) {
    cf.selectRequestOriginById(
      length <= SETTINGS.largestLambdaBody ? SETTINGS.apiOrigin : SETTINGS.uploadOrigin,
    );
  }
  return request;
}

/** Browsers ask for `text/html` by name; programs ask for anything. */
function entrance(accept) {
  const wanted = accept ? accept.value : '';
  const target = wanted.includes('text/html') ? SETTINGS.page : SETTINGS.description;
  return {
    statusCode: 303,
    statusDescription: 'See Other',
    headers: {
      location: { value: target },
      vary: { value: 'accept' },
      'cache-control': { value: 'no-store' },
      'content-type': { value: 'text/plain' },
    },
    body: { encoding: 'text', data: `See ${target}\n` },
  };
}

/** RFC 9116. A text without an end would be trusted long after its deployment, so it says that it ends soon. */
function securityText() {
  const expires = new Date(Date.now() + 30 * 86400000).toISOString();
  return {
    statusCode: 200,
    statusDescription: 'OK',
    headers: {
      'content-type': { value: 'text/plain; charset=utf-8' },
      'x-content-type-options': { value: 'nosniff' },
    },
    body: {
      encoding: 'text',
      data: `Contact: ${SETTINGS.securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`,
    },
  };
}

function declaredLength(header) {
  if (!header || (header.multiValue && header.multiValue.length > 1)) return NaN;
  return /^\d{1,15}$/.test(header.value) ? Number(header.value) : NaN;
}

function tooLarge(requestId, uri) {
  const headers = { 'x-request-id': { value: requestId } };
  Object.keys(SETTINGS.refusal.headers).forEach((name) => {
    headers[name] = { value: SETTINGS.refusal.headers[name] };
  });
  return {
    statusCode: 413,
    statusDescription: 'Payload Too Large',
    headers: headers,
    body: { encoding: 'text', data: uri.endsWith('/parts') ? SETTINGS.refusal.part : SETTINGS.refusal.file },
  };
}
