import swc from '@swc/jest';

const planted = JSON.parse(process.env.GENWAY_PLANTED ?? 'null');

const plant = (source, path) =>
  planted !== null && path.endsWith(planted.file) ? source.replace(planted.from, () => planted.to) : source;

/** As every test is compiled, with the bug in its place. */
export default {
  createTransformer(options) {
    const usual = swc.createTransformer(options);
    return {
      canInstrument: usual.canInstrument,
      process: (source, path, rest) => usual.process(plant(source, path), path, rest),
      processAsync: (source, path, rest) => usual.processAsync(plant(source, path), path, rest),
      getCacheKey: (source, path, rest) => usual.getCacheKey(plant(source, path), path, rest),
    };
  },
};
