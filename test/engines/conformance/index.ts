export { OwnQueue } from './own-queue.ts';
export { createTable, newKey, ownTable } from './own-table.ts';
export { refusal } from './refusal.ts';
