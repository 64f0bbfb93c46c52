# services.shortcrust: the unit of the package, its user, its settings and the way through the firewall.
self:
{
  config,
  lib,
  pkgs,
  ...
}:
let
  cfg = config.services.shortcrust;
in
{
  options.services.shortcrust = {
    enable = lib.mkEnableOption "Shortcrust, a server for pastes and short links";
    package = lib.mkOption {
      type = lib.types.package;
      default = self.packages.${pkgs.stdenv.hostPlatform.system}.shortcrust;
      description = "The package to run.";
    };
    host = lib.mkOption {
      type = lib.types.str;
      default = "127.0.0.1";
      description = "The address to listen on; 0.0.0.0 for every one of this machine.";
    };
    port = lib.mkOption {
      type = lib.types.port;
      default = 8080;
      description = "The port to listen on.";
    };
    openFirewall = lib.mkOption {
      type = lib.types.bool;
      default = false;
      description = "Whether other machines reach the port.";
    };
    environment = lib.mkOption {
      type = lib.types.attrsOf lib.types.str;
      default = { };
      example = {
        SHORTCRUST_PUBLIC_URL = "http://nas:8080";
      };
      description = "Further settings, as docs/reference.md names them. No secrets: they go into the Nix store.";
    };
    apiKeyFile = lib.mkOption {
      type = lib.types.nullOr lib.types.str;
      default = null;
      example = "/run/keys/shortcrust";
      description = "A file with an API key, which belongs to root. Without one, the first start prints a key into the journal.";
    };
  };

  config = lib.mkIf cfg.enable {
    environment.systemPackages = [ cfg.package ];
    networking.firewall.allowedTCPPorts = lib.optional cfg.openFirewall cfg.port;

    users.users.shortcrust = {
      isSystemUser = true;
      group = "shortcrust";
      home = "/var/lib/shortcrust";
    };
    users.groups.shortcrust = { };

    systemd.packages = [ cfg.package ];
    systemd.services.shortcrust = {
      wantedBy = [ "multi-user.target" ];
      environment = {
        SHORTCRUST_HOST = cfg.host;
        SHORTCRUST_PORT = toString cfg.port;
      }
      // lib.optionalAttrs (cfg.apiKeyFile != null) { SHORTCRUST_API_KEY_FILE = "%d/api-key"; }
      // cfg.environment;
      serviceConfig = lib.optionalAttrs (cfg.apiKeyFile != null) {
        LoadCredential = "api-key:${cfg.apiKeyFile}";
      };
    };
  };
}
