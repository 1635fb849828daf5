export const TYPE = 'multipart/form-data; boundary=x';

export const part = (disposition: string, content: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
export const FILE = part('name="file"; filename="a.txt"', 'Some words.\n');
export const END = '--x--\r\n';
