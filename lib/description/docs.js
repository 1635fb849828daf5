// An error's `docs_url` points here, but its text is in a guide: go there.
if (window.location.hash.startsWith('#error-')) {
  window.location.replace(`docs/errors.html${window.location.hash}`);
}

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** All samples show the language that was chosen last. */
function choose(language) {
  for (const each of all('button[data-language]'))
    each.setAttribute('aria-pressed', String(each.dataset.language === language));
  for (const each of all('pre[data-language]')) each.hidden = each.dataset.language !== language;
}

/** The page has an origin of its own, which gets no permission to write to the clipboard: it copies a selection. */
function copy(button) {
  const shown = all('pre[data-language]', button.closest('.samples')).find((each) => !each.hidden);
  const selection = window.getSelection();
  selection.selectAllChildren(shown.querySelector('code'));
  document.execCommand('copy');
  selection.removeAllRanges();
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  if (button?.dataset.language !== undefined) choose(button.dataset.language);
  else if (button?.classList.contains('copy')) copy(button);
});

const search = document.querySelector('input[type=search]');
const entries = () => all('nav a[data-text]');

search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const each of entries()) each.hidden = !words.every((word) => each.dataset.text.includes(word));
});
search.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter')
    entries()
      .find((each) => !each.hidden)
      ?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || document.activeElement === search) return;
  event.preventDefault();
  search.focus();
});
