import { describe, expect, test } from '@jest/globals';
import * as contentTypes from '../../../functions/files/type-detection/office-package.ts';
import { inTurns } from '../../../functions/files/type-detection/office-package.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const DOCX = `${OOXML}.wordprocessingml.document`;
const WORD = '/word/document.xml';
const override = (type: string, part = WORD) => `<Override PartName="${part}" ContentType="${type}"/>`;
const typesXml = (...elements: string[]) => `<Types>${elements.join('\n')}</Types>`;
const classifyPackage = (xml: string, parts: string[]) => inTurns(contentTypes.classifyPackage(xml, parts));
const NO_MAIN = { found: 'an Open Packaging Conventions package without a main document' };

describe('the content types of a package', () => {
  test.each([
    [DOCX, '/word/document.xml'],
    [`${OOXML}.spreadsheetml.sheet`, '/xl/workbook.xml'],
    [`${OOXML}.presentationml.presentation`, '/ppt/presentation.xml'],
  ])('say %s', async (type, part) => {
    const xml = typesXml(
      override(`${type}.main+xml`, part),
      override('application/xml', '/docProps/app.xml'),
    );
    expect(await classifyPackage(xml, [part.slice(1), 'docProps/app.xml'])).toEqual({ mimeType: type });
  });

  test.each([
    ['in any case of letters', typesXml(override(`${DOCX}.main+xml`, '/Word/Document.XML'))],
    ['with a prefix', `<t:Types><t:Override PartName="${WORD}" ContentType="${DOCX}.main+xml" /></t:Types>`],
    ['in single quotes', `<Override PartName='${WORD}' ContentType='${DOCX}.main+xml'/>`],
    ['in the other order', `<Override\n  ContentType = "${DOCX}.main+xml"\n  PartName = "${WORD}"\n/>`],
    ['by the extension', `<Default Extension="xml" ContentType="${DOCX}.main+xml"/>`],
  ])('count %s', async (_, xml) => {
    expect(await classifyPackage(xml, ['word/document.xml'])).toEqual({ mimeType: DOCX });
  });

  test.each([
    'application/vnd.ms-word.document.macroEnabled',
    'application/vnd.ms-excel.sheet.macroEnabled',
    'application/vnd.ms-powerpoint.presentation.macroEnabled',
    `${OOXML}.wordprocessingml.template`,
    `${OOXML}.presentationml.slideshow`,
    'application/vnd.ms-visio.drawing',
  ])('refuse %s by its name', async (type) => {
    expect(await classifyPackage(typesXml(override(`${type}.main+xml`)), ['word/document.xml'])).toEqual({
      found: type,
    });
  });

  const VBA = 'application/vnd.ms-office.vbaProject';
  const document = override(`${DOCX}.main+xml`);
  test.each([
    ['declared', [document, override(VBA, '/word/vbaProject.bin')], 'word/vbaProject.bin'],
    ['declared under another name', [document, override(VBA, '/word/font.odttf')], 'word/font.odttf'],
    [
      'declared by its extension',
      [document, `<Default Extension="bin" ContentType="${VBA}"/>`],
      'word/a.bin',
    ],
    [
      'declared as what it is not',
      [document, override('image/png', '/word/VBAProject.bin')],
      'word/VBAProject.bin',
    ],
    ['not declared', [document], 'word/vbaProject.bin'],
    [
      'a macro sheet',
      [document, override('application/vnd.ms-excel.intlmacrosheet+xml', '/xl/macrosheets/a.xml')],
      'xl/macrosheets/a.xml',
    ],
  ])('do not count with macros: %s', async (_, elements, part) => {
    const parts = ['word/document.xml', part];
    expect(await classifyPackage(typesXml(...elements), parts)).toEqual({
      found: 'an Office Open XML package with macros',
    });
  });

  test('do not count without the part', async () => {
    expect(await classifyPackage(typesXml(override(`${DOCX}.main+xml`)), ['word/other.xml'])).toEqual(
      NO_MAIN,
    );
  });

  test('do not count inside a comment, closed or not', async () => {
    const declaration = override(`${DOCX}.main+xml`);
    expect(await classifyPackage(`<!-- ${declaration} -->`, ['word/document.xml'])).toEqual(NO_MAIN);
    expect(await classifyPackage(`<!-- ${declaration}`, ['word/document.xml'])).toEqual(NO_MAIN);
    expect(await classifyPackage(`<!-- x -->${declaration}<!-- y -->`, ['word/document.xml'])).toEqual({
      mimeType: DOCX,
    });
  });

  test('do not count when they name two main documents', async () => {
    const xml = typesXml(
      override(`${DOCX}.main+xml`),
      override(`${OOXML}.spreadsheetml.sheet.main+xml`, '/xl/workbook.xml'),
    );
    expect(await classifyPackage(xml, ['word/document.xml', 'xl/workbook.xml'])).toEqual({
      found: 'an Office Open XML package with several main documents',
    });
  });

  test('do not count among more than 20,000 tags', async () => {
    const types = override(`${DOCX}.main+xml`);
    const accepted = `${'<a/>'.repeat(19_999)}${types}`;
    expect(await classifyPackage(accepted, ['word/document.xml'])).toEqual({ mimeType: DOCX });
    expect(await classifyPackage(`${types}${'<a/>'.repeat(20_000)}`, ['word/document.xml'])).toEqual(NO_MAIN);
  });

  test.each(['<!--', '<Default ', '<Override PartName="', "<Override a='", 'x="', '<a:'])(
    'take no longer when a MiB of them is %j',
    async (repeated) => {
      const xml = repeated.repeat((1 << 20) / repeated.length);
      expect(await classifyPackage(xml, ['word/document.xml'])).toEqual(NO_MAIN);
    },
  );
});
