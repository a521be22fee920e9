const dark = window.matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();

// Swagger UI closes the lock of an operation when a key is set or none is needed. Here, a closed lock means that a
// key is missing.
const withLockInverted = (Button, { React }) =>
  function InvertedButton(properties) {
    return React.createElement(Button, { ...properties, isAuthorized: !properties.isAuthorized });
  };

window.SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  validatorUrl: null,
  plugins: [
    {
      wrapComponents: { authorizeBtn: withLockInverted, authorizeOperationBtn: withLockInverted },
    },
  ],
});
