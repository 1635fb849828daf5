import { s3 } from '../../aws/s3.ts';
import { setting } from '../../environment.ts';
import { ObjectStore } from '../../files/object-store.ts';

/** Apart from the other stores, because not every function that uses files needs the S3 client in its bundle. */
export const objectStore = () => new ObjectStore(s3, setting('filesBucket'));
