/*
 * A CloudFront Function (runtime 2.0): it sees the head of every response below 400 before the viewer gets it. `program.ts`
 * puts a line before this text, which defines `SETTINGS`.
 */

/** A browser must never run what a caller uploaded. */
function handler(event) {
  const response = event.response;
  response.headers['content-type'] = { value: 'application/octet-stream' };
  // CloudFront passes on the value as it was sent, in the form that the header needs. The link's signature covers it.
  const filename = event.request.querystring.filename;
  response.headers['content-disposition'] = {
    value: filename ? SETTINGS.attachment + filename.value : 'attachment',
  };
  return response;
}
