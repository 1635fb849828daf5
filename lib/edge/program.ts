import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTACHMENT } from '../../functions/downloads/attachment.ts';
import { routes } from '../../functions/endpoints/definitions.ts';
import {
  LARGEST_BODY,
  LARGEST_FILE,
  LARGEST_LAMBDA_BODY,
  LARGEST_LAMBDA_FILE,
  LARGEST_PART,
  tooLarge,
} from '../../functions/files/size-limits.ts';
import { COMMON_HEADERS, errorBody, JSON_TYPE } from '../../functions/http/response.ts';
import { ROOT } from '../bundling/folders.ts';
import { CONSOLE_PATH } from '../console/page-headers.ts';

/** The names with which the edge function chooses an origin. */
export const API_ORIGIN = 'api';
export const UPLOAD_ORIGIN = 'large-uploads';

/** CloudFront sends these paths to the server unless the edge function chooses another origin. */
export const UPLOAD_PATHS = [routes['upload-file'], routes['add-upload-part']].map(
  ({ path }) => `/api/v1${path.replace(/\{\w+\}/, '*')}`,
);

const ROUTE_UPLOADS = join(ROOT, 'lib/edge/route-uploads.js');

interface EdgeParts {
  /** @default a server takes large uploads */
  readonly largeUploads?: boolean;
  /** @default there is a console */
  readonly console?: boolean;
  /** Where to report a vulnerability of this deployment. @default there is no `security.txt` */
  readonly securityContact?: string | undefined;
}

/** The edge function for the parts that a deployment has. It is a script that expects CloudFront's `cf` among its globals. */
export function edgeProgram({
  largeUploads = true,
  console = true,
  securityContact,
}: EdgeParts = {}): string {
  const limit = largeUploads ? LARGEST_FILE : LARGEST_LAMBDA_FILE;
  const refusal = (message: string) =>
    JSON.stringify(errorBody({ status: 413, errorType: 'payload_too_large', message }));
  const settings = {
    page: console ? CONSOLE_PATH : `/api/v1${routes['get-docs'].path}`,
    description: `/api/v1${routes['get-openapi-json'].path}`,
    apiOrigin: API_ORIGIN,
    securityContact,
    uploadOrigin: largeUploads ? UPLOAD_ORIGIN : null,
    largestBody: largeUploads ? LARGEST_BODY : LARGEST_LAMBDA_BODY,
    largestLambdaBody: LARGEST_LAMBDA_BODY,
    refusal: {
      headers: { ...COMMON_HEADERS, 'content-type': JSON_TYPE },
      file: refusal(tooLarge(limit)),
      part: refusal(tooLarge(Math.min(limit, LARGEST_PART), 'part')),
    },
  };
  return `const SETTINGS = ${JSON.stringify(settings)};\n${readFileSync(ROUTE_UPLOADS, 'utf8')}`;
}

/** The same in the form that CloudFront needs: with this import in the first line. */
export function cloudFrontProgram(parts: EdgeParts = {}): string {
  return `import cf from 'cloudfront';\n${edgeProgram(parts)}`;
}

const AS_ATTACHMENT = join(ROOT, 'lib/edge/as-attachment.js');

/** The program that CloudFront runs on each response with a file. */
export const downloadsProgram = (): string =>
  `const SETTINGS = ${JSON.stringify({ attachment: ATTACHMENT })};\n${readFileSync(AS_ATTACHMENT, 'utf8')}`;
