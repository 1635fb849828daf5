import { ownRole } from '../../aws/own-role.ts';
import { setting } from '../../environment.ts';
import { ObjectStore } from '../../files/object-store.ts';

/** Apart from the other stores, because not every function that uses files asks S3 for something. */
export const objectStore = () => new ObjectStore(ownRole(), setting('filesBucket'));
