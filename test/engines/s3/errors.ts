import { ServiceError } from '../service.ts';

export const noSuchBucket = () =>
  new ServiceError('NoSuchBucket', 'The specified bucket does not exist', 404);

export const noSuchKey = () => new ServiceError('NoSuchKey', 'The specified key does not exist.', 404);

export const noSuchUpload = () =>
  new ServiceError(
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    404,
  );

export const preconditionFailed = () =>
  new ServiceError(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    412,
  );
