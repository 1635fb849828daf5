import { dynamo } from '../../aws/dynamo.ts';
import { setting } from '../../environment.ts';
import { ContentStore } from '../../generations/content-store.ts';

export const contentStore = () => new ContentStore(dynamo, setting('generationLogsTable'));
