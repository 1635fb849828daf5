// An error's `docs_url` points here, but its text is in a guide: go there.
if (window.location.hash.startsWith('#error-')) {
  window.location.replace(`docs/errors.html${window.location.hash}`);
} else {
  showReference();
}

// The reference and its console. Requests go to the host of the page. The key is kept until the page is closed.
function showReference() {
  window.SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 2,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
}
